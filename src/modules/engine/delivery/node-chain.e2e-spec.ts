import { makeFlow } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { sha256 } from '../../../lib/crypto/hashes.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'api,worker,engine' }, { database: 'own' });

const flowPath = (id: string) => `/applications/${application.id}/flows/${id}`;
const press = (id: string, key: string, payload: unknown) =>
  test.client.post(`${flowPath(id)}/virtualButton`, { key, payload }, { token: user.token });
const read = async (id: string, what: string) =>
  (await test.client.get(`${flowPath(id)}/${what}`, { token: user.token })).body;

const DATA = {
  n: 5,
  list: [3, 1, 2],
  csv: 'a,b\n1,2\n',
  json: '{"x":[1]}',
  object: { k: 1, l: 2 },
  time: '2024-01-31T00:00:00.000Z',
  place: '52.5,13.4',
};
const TOKEN = { secretTemplate: 'a secret of sufficient length', algorithmTemplate: 'HS256' };

/** Types that act on the payload and storage alone: the output that continues, and the configuration. */
const CHAIN: readonly (readonly [type: string, output: number, config: object])[] = [
  ['MutateNode', 0, { rules: [{ type: 'set', valueTemplate: '{{data.n}}', destination: 'r.text' }] }],
  ['MathNode', 0, { statements: [{ expression: '{{data.n}} ^ 2', resultPath: 'r.square' }] }],
  ['ConditionalNode', 1, { expression: '{{r.square}} === 25' }],
  ['SwitchNode', 2, { switchTemplate: '{{r.text}}', cases: [{ caseTemplate: '4' }, { caseTemplate: '5' }] }],
  ['ArrayNode', 0, { sourceArrayPath: 'data.list', rules: [{ type: 'sum', outputPath: 'r.sum' }] }],
  ['ObjectNode', 0, { sourcePath: 'data.object', operations: [{ type: 'keys', outputPath: 'r.keys' }] }],
  ['StringNode', 0, { sourceData: 'ab', method: 'padStart', methodArgs: ['4', '.'], resultPath: 'r.padded' }],
  [
    'DateTimeNode',
    0,
    { operation: 'add', sourcePath: 'data.time', numberValue: '1', unit: 'month', resultPath: 'r.later' },
  ],
  ['RandomNumberNode', 0, { min: 7, max: 7, resultPath: 'r.random' }],
  ['GenerateIdNode', 0, { idTypeTemplate: 'nanoid', numCharactersTemplate: '8', destinationPath: 'r.id' }],
  ['HashNode', 0, { dataTemplate: 'abc', algorithmTemplate: 'SHA256', destinationPath: 'r.hash' }],
  ['JsonDecodeNode', 0, { source: 'data.json', destination: 'r.decoded' }],
  ['JsonEncodeNode', 0, { source: 'r.decoded', destination: 'r.encoded' }],
  ['CSVDecodeNode', 0, { source: 'data.csv', destination: 'r.rows' }],
  ['CSVEncodeNode', 0, { source: 'r.rows', destination: 'r.csv' }],
  ['JWTCreateNode', 0, { ...TOKEN, dataTemplate: '{"a":1,"iat":2}', destinationPath: 'token' }],
  ['JWTVerifyNode', 1, { ...TOKEN, tokenTemplate: '{{token}}' }],
  ['JWTDecodeNode', 0, { tokenTemplate: '{{token}}', destinationPath: 'r.claims' }],
  [
    'ValidatePayloadNode',
    1,
    { schema: '{"type":"number"}', toValidatePath: 'data.n', errorsPath: 'r.faults' },
  ],
  [
    'GeofenceNode',
    1,
    { gpsCheck: '{{data.place}}', gpsCenter: '52.5,13.4', radius: 1, resultPath: 'r.metres' },
  ],
  ['TimeRangeNode', 1, { branchPath: 'r.isIn' }],
  ['ThrottleNode', 1, { ratePerMinute: 1 }],
  ['LatchNode', 1, { latchExpression: '{{data.n}} > 4', wasLatchedPath: 'r.wasLatched' }],
  ['BranchOnChangeNode', 0, { valuePath: 'data.n' }],
  ['DelayNode', 0, { delay: '0.01' }],
  ['RawFunctionNode', 0, { script: 'payload.r.script = payload.r.sum + 1;' }],
  ['GetValueNode', 0, { keyName: 'none', valuePath: 'r.kept', defaultValue: 'default' }],
];

/** Configurations that fail a run, and how. `data` is `DATA`. */
const FAULTS: readonly (readonly [type: string, config: object, name: string, message: RegExp])[] = [
  [
    'ArrayNode',
    { sourceArrayPath: 'data.object' },
    'ValidationError',
    /^sourceArrayPath must refer to a list/,
  ],
  ['ConditionalNode', {}, 'ValidationError', /^expression is required/],
  ['CSVEncodeNode', { source: 'data.n', destination: 'r' }, 'ValidationError', /^source must be a list/],
  ['DateTimeNode', { resultPath: 'r', timezone: 'Mars/Base' }, 'ValidationError', /^timezone /],
  ['DelayNode', { delay: '61' }, 'ValidationError', /^delay /],
  [
    'GenerateIdNode',
    { idTypeTemplate: 'x', destinationPath: 'r' },
    'ValidationError',
    /^idTypeTemplate must be/,
  ],
  [
    'HashNode',
    { algorithmTemplate: 'x', destinationPath: 'r' },
    'ValidationError',
    /^algorithmTemplate must be/,
  ],
  [
    'HttpNode',
    { uriTemplate: '{{none}}', errorBehavior: 'payloadPath', errorPath: 'e' },
    'ValidationError',
    /^uri/,
  ],
  ['JsonDecodeNode', { source: 'data.csv', destination: 'r' }, 'InvalidJsonError', /JSON/],
  ['JWTVerifyNode', { ...TOKEN, tokenTemplate: '' }, 'ValidationError', /^tokenTemplate is required/],
  ['RawFunctionNode', { script: 'payload.a.b = 1;' }, 'FunctionNodeTypeError', /./],
  ['StringNode', { sourceData: 'a', resultPath: 'r' }, 'ValidationError', /^method is required/],
  ['StoreValueNode', { keyName: '', valueType: 'json', value: '1' }, 'ValidationError', /key/i],
  ['StructureSmsNode', { phoneNumberTemplate: '+1', bodyTemplate: 'a' }, 'NotAvailable', /^Text messages/],
  ['ThrottleNode', { ratePerMinute: 601 }, 'ValidationError', /^ratePerMinute must be/],
  ['ThrowErrorNode', { messageTemplate: 'n is {{data.n}}' }, 'ThrowErrorNodeError', /^n is 5$/],
  ['TimeRangeNode', { startTimeTemplate: '25:00' }, 'ValidationError', /^startTimeTemplate must be/],
  ['SnowflakeNode', {}, 'UnsupportedNodeError', /no connector for Snowflake/],
];

it('Nodes of one workflow pass the payload to each other', async () => {
  const nodes = CHAIN.map(([type, output, config], i) => ({
    id: `n${i}`,
    type,
    config,
    outputIds: [...Array.from({ length: output }, () => []), [i + 1 < CHAIN.length ? `n${i + 1}` : 'loop']],
  }));
  const loop = { loopSourcePath: 'data.list', currentItemPath: 'i', parallel: true, mapResultPath: 'r.map' };
  const { id } = await makeFlow(test, user.token, application.id, {
    triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['n0']] }],
    nodes: [
      ...nodes,
      { id: 'note', type: 'AnnotationNode', config: {}, outputIds: [] },
      { id: 'loop', type: 'LoopNode', config: loop, outputIds: [['keep'], ['cap']] },
      {
        id: 'cap',
        type: 'LoopCapNode',
        config: { loopNodeId: 'loop', mapValuePath: 'i.value' },
        meta: { groupId: 'loop' },
        outputIds: [],
      },
      { id: 'keep', type: 'StoreValueNode', config: { keyName: 'r', valueType: 'path', value: 'r' } },
    ],
  });
  await press(id, 'go', DATA);
  await waitUntil(async () => (await read(id, 'logs')).length > 0);
  expect((await read(id, 'errors')).errors).toEqual([]);
  expect((await read(id, 'storage')).r).toEqual({
    text: '5',
    square: 25,
    sum: 6,
    keys: ['k', 'l'],
    padded: '..ab',
    later: '2024-02-29T00:00:00.000Z',
    random: 7,
    id: expect.stringMatching(/^[\w-]{8}$/),
    hash: sha256('abc'),
    decoded: { x: [1] },
    encoded: '{"x":[1]}',
    rows: [{ a: '1', b: '2' }],
    csv: DATA.csv,
    claims: { a: 1, iat: 2 },
    faults: [],
    metres: 0,
    isIn: true,
    wasLatched: false,
    script: 7,
    kept: 'default',
    map: [3, 1, 2],
  });
});

it('Nodes fail a run with the error of their type, at their own place', async () => {
  const { id } = await makeFlow(test, user.token, application.id, {
    triggers: FAULTS.map(([type]) => ({ type: 'virtualButton', key: type, outputIds: [[type]] })),
    nodes: FAULTS.map(([type, config]) => ({ id: type, type, config, outputIds: [] })),
  });
  for (const [type] of FAULTS) await press(id, type, DATA);
  const errors = async () => (await read(id, `errors?limit=100`)).errors;
  await waitUntil(async () => (await errors()).length === FAULTS.length);
  const found = new Map((await errors()).map(({ nodeId, error }: any) => [nodeId, error]));
  for (const [type, , name, message] of FAULTS)
    expect([type, found.get(type)]).toEqual([type, { name, message: expect.stringMatching(message) }]);
});
