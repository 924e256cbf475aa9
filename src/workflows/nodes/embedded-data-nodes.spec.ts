import type { Json } from '../graph/graph.js';
import { checkGraph } from '../graph/graph.rules.js';

function check(type: string, config?: Json): void {
  checkGraph('embedded', { nodes: [{ id: 'node', type, config }] });
}

/** Configurations taken from published workflows. */
const GOOD: readonly (readonly [type: string, config: Json | undefined])[] = [
  ['MathNode', undefined],
  ['MathNode', { statements: [{ expression: '{{working.index}} % 2', resultPath: 'working.value' }] }],
  ['MutateNode', { rules: [] }],
  [
    'MutateNode',
    {
      rules: [
        {
          type: 'set',
          valueTemplate: '{{data.temp}}',
          valueTemplateType: 'string',
          destination: 'working.t',
        },
        { type: 'set', valueTemplate: '', destination: 'working.t' },
        {
          type: 'set',
          valueTemplate: '{"a":{{data.a}}}',
          valueTemplateType: 'json',
          destination: 'working.t',
        },
        { type: 'copy', source: 'data.device', destination: 'working.device' },
        { type: 'move', source: 'data.raw', destination: 'working.raw', valueTemplate: '' },
        { type: 'remove', source: 'data.raw', destination: '' },
      ],
    },
  ],
  [
    'ArrayNode',
    {
      sourceArrayPath: 'working.devices',
      destArrayPath: '',
      rules: [
        { type: 'filter', inputTemplate: '{{value.active}} === true', outputPath: 'working.active' },
        { type: 'insertAt', inputTemplate: '{{data.item}}', indexTemplate: '2' },
        { type: 'slice', inputTemplate: '1', indexTemplate: '4' },
        { type: 'sortBy', inputTemplate: 'name', order: 'ascending', outputPath: 'working.sorted' },
        { type: 'pop' },
        { type: 'length', outputPath: 'working.length' },
      ],
    },
  ],
  ['JsonDecodeNode', { source: 'working.raw', destination: 'working.parsed' }],
  ['JsonDecodeNode', { source: 'a', destination: 'b', errorBehavior: 'payloadPath', errorPath: 'working.e' }],
  ['JsonDecodeNode', { source: 'a', destination: 'b', errorBehavior: 'throw', errorPath: '' }],
  ['JsonEncodeNode', { source: 'data.user', destination: 'working.json' }],
  ['GenerateIdNode', { destinationPath: 'working.id' }],
  ['GenerateIdNode', { idTypeTemplate: ' UUIDv4 ', destinationPath: 'working.id' }],
  ['GenerateIdNode', { idTypeTemplate: '{{data.type}}', destinationPath: 'working.id' }],
  [
    'GenerateIdNode',
    { idTypeTemplate: 'nanoid', numCharactersTemplate: '10', destinationPath: 'working.id' },
  ],
  [
    'GenerateIdNode',
    { idTypeTemplate: 'uuidv5', namespaceTemplate: '{{data.ns}}', valueTemplate: 'a', destinationPath: 'id' },
  ],
  ['RandomNumberNode', { min: 0, max: 100, resultPath: 'working.rand' }],
  ['RandomNumberNode', { min: '{{data.min}}', max: '6', resultPath: 'working.rand' }],
  [
    'DeviceChangeStateNode',
    {
      attrDataMethod: 'individualFields',
      attrInfos: [{ key: 'x', valueTemplate: '{{working.readings.[0]}}' }],
      resultPath: '',
      timeSourceType: 'payloadTime',
    },
  ],
  ['DeviceChangeStateNode', { attrInfos: [], deviceId: '{{deviceId}}', metaTemplate: '' }],
  ['DeviceChangeStateNode', { attrDataMethod: 'jsonTemplate', attrJsonTemplate: '{"t":{{data.t}}}' }],
  [
    'DeviceChangeStateNode',
    { attrDataMethod: 'payloadPath', attrPayloadPath: 'working.state', deviceId: '' },
  ],
  ['MqttMessageNode', { topicTemplate: 'custom/{{deviceId}}', messageTemplate: '{}', integrationId: 'x' }],
  ['MqttMessageNode', { topicTemplate: 'é'.repeat(115) }],
  ['MqttMessageNode', { topicTemplate: `{{data.a}}${'é'.repeat(115)}` }],
  ['MqttMessageNode', { topicTemplate: 'a', qos: 1, resultPath: 'working.code' }],
  ['RegisteredFunctionNode', { functionName: 'reset' }],
  [
    'RegisteredFunctionNode',
    {
      functionName: 'read_accelerometer',
      inputs: [{ type: 'i32', valueTemplate: '18' }],
      outputs: [
        { type: 'json', destinationPath: 'working.readings', maxLength: '32' },
        { type: 'i32', destinationPath: 'working.level', maxLength: '' },
        { type: 'f32[]', destinationPath: '', maxLength: 1024 },
      ],
      resultPath: 'working.result',
    },
  ],
];

const BAD: readonly (readonly [type: string, config: Json | undefined, words: string])[] = [
  ['MathNode', { statements: [{ expression: '1', resultPath: '' }] }, 'config.statements.0.resultPath'],
  ['MathNode', { statements: [{ expression: '{{a', resultPath: 'a' }] }, 'config.statements.0.expression'],
  ['MutateNode', undefined, 'config.rules'],
  ['MutateNode', { rules: [{ type: 'swap' }] }, 'config.rules.0.type'],
  ['MutateNode', { rules: [{ type: 'set', valueTemplate: 'a' }] }, 'config.rules.0.destination is required'],
  ['MutateNode', { rules: [{ type: 'copy', destination: 'a' }] }, 'config.rules.0.source is required'],
  [
    'MutateNode',
    { rules: [{ type: 'set', valueTemplateType: 'json', destination: 'a' }] },
    'config.rules.0.valueTemplate is required',
  ],
  [
    'MutateNode',
    { rules: [{ type: 'set', valueTemplate: '{{data.a', destination: 'a' }] },
    'config.rules.0.valueTemplate',
  ],
  ['MutateNode', { rules: [{ type: 'move', source: '.', destination: 'a' }] }, 'config.rules.0.source must'],
  [
    'MutateNode',
    { rules: [{ type: 'copy', source: '.', destination: '.' }] },
    'config.rules.0.destination must',
  ],
  ['ArrayNode', { rules: [] }, 'config.sourceArrayPath'],
  ['ArrayNode', { sourceArrayPath: 'a', rules: [{ type: 'splice' }] }, 'config.rules.0.type'],
  ['ArrayNode', { sourceArrayPath: 'a', rules: [{ type: 'sum' }] }, 'config.rules.0.outputPath is required'],
  [
    'ArrayNode',
    { sourceArrayPath: 'a', rules: [{ type: 'lookupAt', outputPath: 'b' }] },
    'config.rules.0.indexTemplate is required',
  ],
  [
    'ArrayNode',
    { sourceArrayPath: 'a', rules: [{ type: 'filter', inputTemplate: '{{value', outputPath: 'b' }] },
    'config.rules.0.inputTemplate',
  ],
  ['JsonDecodeNode', { source: 'a' }, 'config.destination'],
  [
    'JsonDecodeNode',
    { source: 'a', destination: 'b', errorBehavior: 'payloadPath' },
    'config.errorPath is required',
  ],
  ['JsonEncodeNode', { source: '{{a}}', destination: 'b' }, 'config.source'],
  ['GenerateIdNode', {}, 'config.destinationPath'],
  [
    'GenerateIdNode',
    { idTypeTemplate: 'cuid', destinationPath: 'a' },
    'config.idTypeTemplate must be one of',
  ],
  [
    'GenerateIdNode',
    { idTypeTemplate: 'uuidv3', namespaceTemplate: 'a', destinationPath: 'a' },
    'config.valueTemplate is required',
  ],
  ['RandomNumberNode', { min: 0, resultPath: 'a' }, 'config.max'],
  ['RandomNumberNode', { min: '', max: 1, resultPath: 'a' }, 'config.min'],
  ['RandomNumberNode', { min: 'few', max: 1, resultPath: 'a' }, 'config.min must be a number'],
  [
    'GenerateIdNode',
    { idTypeTemplate: 'nanoid', numCharactersTemplate: 'ten', destinationPath: 'a' },
    'config.numCharactersTemplate must be a number',
  ],
  ...['0', '257', '1.5', 300].map(
    (numCharactersTemplate) =>
      [
        'GenerateIdNode',
        { idTypeTemplate: 'nanoid', numCharactersTemplate, destinationPath: 'a' },
        'config.numCharactersTemplate must be ',
      ] as const,
  ),
  [
    'ArrayNode',
    { sourceArrayPath: 'a', rules: [{ type: 'removeAt', indexTemplate: 'first' }] },
    'config.rules.0.indexTemplate must be a number',
  ],
  [
    'RegisteredFunctionNode',
    { functionName: 'a', inputs: [{ type: 'u8', valueTemplate: 'one' }] },
    'config.inputs.0.valueTemplate must be a number',
  ],
  ['DeviceChangeStateNode', {}, 'config.attrInfos is required'],
  ['DeviceChangeStateNode', { attrInfos: [], deviceId: '{{data.other}}' }, 'config.deviceId must be empty'],
  ['DeviceChangeStateNode', { attrDataMethod: 'jsonTemplate' }, 'config.attrJsonTemplate is required'],
  [
    'DeviceChangeStateNode',
    { attrInfos: [], timeSourceType: 'payloadPath' },
    'config.timeSourcePath is required',
  ],
  ['MqttMessageNode', {}, 'config.topicTemplate'],
  ['MqttMessageNode', { topicTemplate: '$SYS/a' }, 'config.topicTemplate must not begin with $'],
  [
    'MqttMessageNode',
    { topicTemplate: 'a/#' },
    'config.topicTemplate must not begin with $ or contain wildcards',
  ],
  ['MqttMessageNode', { topicTemplate: 'a', qos: 2 }, 'config.qos'],
  ['MqttMessageNode', { topicTemplate: 'é'.repeat(116) }, 'config.topicTemplate must have at most 230 bytes'],
  ['RegisteredFunctionNode', {}, 'config.functionName'],
  ['RegisteredFunctionNode', { functionName: 'a-b' }, 'config.functionName'],
  ['RegisteredFunctionNode', { functionName: 'a'.repeat(65) }, 'config.functionName'],
  [
    'RegisteredFunctionNode',
    { functionName: 'a', inputs: [{ type: 'i128', valueTemplate: '1' }] },
    'config.inputs.0.type',
  ],
  [
    'RegisteredFunctionNode',
    { functionName: 'a', outputs: [{ type: 'json' }] },
    'config.outputs.0.maxLength',
  ],
  [
    'RegisteredFunctionNode',
    { functionName: 'a', outputs: [{ type: 'string', maxLength: '65537' }] },
    'config.outputs.0.maxLength must be from 1 to 65536',
  ],
];

describe('Configuration of data nodes in embedded workflows', () => {
  it.each(GOOD)('accepts %s with %j', (type, config) => {
    expect(() => check(type, config)).not.toThrow();
  });

  it.each(BAD)('rejects %s with %j: %s', (type, config, words) => {
    expect(() => check(type, config)).toThrow(`flow.nodes.0 (node): ${words}`);
  });
});
