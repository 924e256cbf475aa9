import type { Chain } from './chains.js';

const math = (...expressions: string[]): Chain => [
  [
    'MathNode',
    { statements: expressions.map((expression, i) => ({ expression, resultPath: `working.r${i}` })) },
  ],
];
const mutate = (...rules: object[]): Chain => [['MutateNode', { rules }]];
const array = (rules: object[], destArrayPath = ''): Chain => [
  ['ArrayNode', { sourceArrayPath: 'data.list', destArrayPath, rules }],
];
/** Creates a rule that writes its result to `working.out`. */
const found = (type: string, members: object = {}): Chain =>
  array([{ type, outputPath: 'working.out', ...members }]);
const id = (members: object): Chain => [['GenerateIdNode', { destinationPath: 'working.id', ...members }]];

/** Namespace of the name-based UUIDs. */
export const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** Chains of one or two nodes each that change data, by the name under which tests run them. */
export const CHAINS = {
  math: math(
    '{{data.a}} * 9 / 5 + 32',
    'round({{working.r0}} * 10) / 10',
    '{{data.none}} + 1',
    '{{data.a}} % 2',
    '1 / 0',
  ),
  setText: mutate(
    { type: 'set', valueTemplate: '{{data.a}}', destination: 'working.raw' },
    { type: 'set', valueTemplate: 'a is {{data.a}}', destination: 'working.text' },
    { type: 'set', valueTemplate: '{{data.none}}', destination: 'working.none' },
    { type: 'set', valueTemplate: '12', destination: 'working.list.[2]' },
  ),
  setJson: mutate(
    {
      type: 'set',
      valueTemplate: '{ "a": {{data.a}}, "b": "{{data.b}}" }',
      valueTemplateType: 'json',
      destination: 'working.made',
    },
    { type: 'set', valueTemplate: 'true', valueTemplateType: 'json', destination: 'working.flag' },
  ),
  setInOwn: mutate({ type: 'copy', source: 'data', destination: 'data.inner' }),
  badJson: mutate({
    type: 'set',
    valueTemplate: '{{data.a}}',
    valueTemplateType: 'json',
    destination: 'working.a',
  }),
  badPath: mutate({ type: 'set', valueTemplate: '1', destination: 'data.list.name' }),
  moves: mutate(
    { type: 'copy', source: 'data.a', destination: 'working.copied' },
    { type: 'move', source: 'data.a', destination: 'working.moved' },
    { type: 'remove', source: 'data.list.[0]' },
    { type: 'remove', source: 'data.none.deeper' },
    { type: 'set', valueTemplate: 'new', destination: 'working.moved.member' },
  ),
  compact: array([{ type: 'compact' }]),
  concat: array([{ type: 'concat', inputTemplate: '{{data.other}}' }]),
  concatText: array([{ type: 'concat', inputTemplate: '[{{data.one}}, 9]' }]),
  deduplicate: array([{ type: 'deduplicate' }]),
  deduplicateBy: found('deduplicateBy', { inputTemplate: 'kind' }),
  filter: found('filter', {
    inputTemplate: '{{value.n}} > 1 && {{index}} < {{payload.data.limit}} && {{array.length}} == 4',
  }),
  flatten: array([{ type: 'flatten' }]),
  groupBy: found('groupBy', { inputTemplate: 'kind' }),
  indexOf: found('indexOf', { inputTemplate: '{{data.sought}}' }),
  insertAt: array([{ type: 'insertAt', inputTemplate: '{{data.item}}', indexTemplate: '{{data.at}}' }]),
  keyBy: found('keyBy', { inputTemplate: 'kind' }),
  length: found('length'),
  lookupAt: found('lookupAt', { indexTemplate: '{{data.at}}' }),
  pop: found('pop'),
  popQuietly: array([{ type: 'pop' }], 'working.shorter'),
  push: array([{ type: 'push', inputTemplate: '{{data}}' }]),
  removeAt: found('removeAt', { indexTemplate: '{{data.at}}' }),
  replaceAt: found('replaceAt', { inputTemplate: 'new', indexTemplate: '{{data.at}}' }),
  reverse: array([{ type: 'reverse' }], 'working.backwards'),
  shift: found('shift'),
  slice: array([{ type: 'slice', inputTemplate: '{{data.from}}', indexTemplate: '{{data.to}}' }]),
  sort: found('sort', { order: 'ascending' }),
  sortDown: found('sort', { order: 'descending' }),
  sortBy: found('sortBy', { inputTemplate: 'n', order: 'descending' }),
  sum: found('sum'),
  unshift: array([{ type: 'unshift', inputTemplate: '{{data.item}}' }]),
  several: array([
    { type: 'push', inputTemplate: '{{data.item}}' },
    { type: 'reverse' },
    { type: 'length', outputPath: 'working.length' },
    { type: 'lookupAt', indexTemplate: '0', outputPath: 'working.first' },
  ]),
  decode: [['JsonDecodeNode', { source: 'data.text', destination: 'working.value' }]],
  decodeTold: [
    [
      'JsonDecodeNode',
      {
        source: 'data.text',
        destination: 'working.value',
        errorBehavior: 'payloadPath',
        errorPath: 'working.error',
      },
    ],
  ],
  encode: [['JsonEncodeNode', { source: 'data', destination: 'working.text' }]],
  uuidv1: [
    ...id({ idTypeTemplate: 'uuidv1' }),
    ['GenerateIdNode', { idTypeTemplate: 'uuidv1', destinationPath: 'working.next' }],
  ],
  uuidv3: id({ idTypeTemplate: 'uuidv3', namespaceTemplate: DNS, valueTemplate: '{{data.name}}' }),
  uuidv4: id({}),
  uuidv5: id({ idTypeTemplate: 'UUIDv5', namespaceTemplate: '{{data.ns}}', valueTemplate: '{{data.name}}' }),
  objectId: [
    ...id({ idTypeTemplate: 'objectId' }),
    ['GenerateIdNode', { idTypeTemplate: 'objectid', destinationPath: 'working.next' }],
  ],
  nanoid: id({ idTypeTemplate: 'nanoid' }),
  nanoidOf: id({ idTypeTemplate: 'nanoid', numCharactersTemplate: '{{data.length}}' }),
  anyId: id({
    idTypeTemplate: '{{data.type}}',
    namespaceTemplate: DNS,
    valueTemplate: 'www.example.com',
    numCharactersTemplate: 8,
  }),
  random: [['RandomNumberNode', { min: 0.5, max: '{{data.max}}', resultPath: 'working.n' }]],
} satisfies Record<string, Chain>;
