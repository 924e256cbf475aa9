import type { FlowClass, FlowGraph, FlowNode } from '../../src/workflows/graph/graph.js';

/** Realistic workflows of each class, for tests. */

export const ID = '575ec8687ae143cd83dc4a97';
export const OTHER_ID = '5f1c2d3e4f5a6b7c8d9e0f1a';

const at = (category: string, name: string, label: string) => ({ category, name, label, x: 60, y: 60 });
const debug = (id: string): FlowNode => ({
  id,
  type: 'DebugNode',
  config: { message: '{{data}}', level: 'verbose' },
  meta: at('debug', 'debug', 'Debug'),
  outputIds: [[]],
});

const alarm: FlowGraph = {
  triggers: [
    {
      type: 'deviceTag',
      key: 'site/north',
      config: { triggerOn: 'both', batchBehavior: 'each', attributeWhitelist: ['temp'] },
      meta: { ...at('trigger', 'deviceTag', 'Device: State'), allowedAttributeType: 'attributeWhitelist' },
      outputIds: [['hot']],
    },
    {
      type: 'webhook',
      key: ID,
      config: {},
      meta: at('trigger', 'webhook', 'Webhook'),
      outputIds: [['hot']],
    },
    {
      type: 'virtualButton',
      key: 'V1StGXR8_Z5jdHi6B-myT',
      meta: { ...at('trigger', 'virtualButton', 'Try it'), payload: '{"temp":99}', deviceId: '' },
      outputIds: [['hot']],
    },
  ],
  nodes: [
    {
      id: 'hot',
      type: 'ConditionalNode',
      config: { expression: '{{data.temp}} > 90' },
      meta: at('logic', 'conditional', 'Hot?'),
      outputIds: [['log'], ['rows', 'stop']],
    },
    {
      id: 'rows',
      type: 'DataTableInsertRowNode',
      config: { dataTableIdTemplate: OTHER_ID, dataMethod: 'payloadPath', rowPayloadPath: 'data' },
      meta: at('data', 'insert-table-row', 'Keep'),
      outputIds: [['log']],
    },
    {
      id: 'stop',
      type: 'DeviceSendCommandNode',
      config: { deviceIds: [ID], sendAsSchedule: false, name: 'stop', payload: { reason: 'hot' } },
      meta: at('output', 'device-command', 'Stop'),
      outputIds: [['another']],
    },
    {
      id: 'another',
      type: 'WorkflowTriggerNode',
      config: { behavior: 'immediate', triggerWorkflowId: ID, triggerVirtualButtonId: 'V1StGXR8_Z5' },
      meta: at('output', 'workflow-trigger', 'Next'),
      outputIds: [['unheard']],
    },
    { id: 'unheard', type: 'TeleportNode', config: { topic: `pumps/${ID}/state` }, outputIds: [] },
    debug('log'),
  ],
  globals: [
    { key: 'limit', json: '90' },
    { key: 'names', json: '{"north":"N"}' },
  ],
};

const loop: FlowGraph = {
  triggers: [
    {
      type: 'timer',
      config: { cron: '0 9 * * 1-5', tz: 'Europe/Berlin' },
      meta: { ...at('trigger', 'timer', 'Weekdays'), timerTypeSelect: 'cron' },
      outputIds: [['each']],
    },
    {
      type: 'virtualButton',
      meta: { ...at('trigger', 'virtualButton', 'One round'), groupId: 'each', payload: '{}' },
      outputIds: [['convert']],
    },
  ],
  nodes: [
    {
      id: 'each',
      type: 'LoopNode',
      config: { loopSourcePath: 'working.sensors', currentItemPath: 'working.sensor', parallel: false },
      meta: { ...at('logic', 'loop', 'Loop'), groupStartX: 60, groupStartY: 60 },
      outputIds: [['done'], ['convert']],
    },
    {
      id: 'convert',
      type: 'MutateNode',
      config: { rules: [{ type: 'set', value: '{{working.sensor.value}}', destination: 'working.c' }] },
      meta: { ...at('logic', 'mutate', 'Mutate'), groupId: 'each' },
      outputIds: [['next']],
    },
    {
      id: 'next',
      type: 'LoopCapNode',
      config: { loopNodeId: 'each', shouldBreak: false },
      meta: { ...at('loop', 'loop-next', 'Next'), groupId: 'each' },
      outputIds: [],
    },
    debug('done'),
  ],
};

const edge: FlowGraph = {
  minimumAgentVersion: '1.41.0',
  triggers: [
    {
      type: 'serial',
      config: { path: '/dev/ttyUSB0', baudRate: 9600, delimiter: '\n', rtscts: true },
      meta: { ...at('trigger', 'serial', 'Serial'), parseBy: 'delimiter' },
      outputIds: [['average']],
    },
    {
      type: 'snmpTrap',
      config: {
        udpPort: '162',
        snmpTrapConfig: { user: { name: 'agent', securityLevel: 'auth', authMethod: 'sha', authKey: 'k' } },
      },
      meta: at('trigger', 'snmpTrap', 'SNMP'),
      outputIds: [['average']],
    },
    { type: 'udp', key: '45678', meta: at('trigger', 'udp', 'UDP'), outputIds: [['average']] },
    { type: 'opcua', config: { uri: 'opc.tcp://plant:4840', eventFilter: ['EventId'] } },
    { type: 'onSync', config: { syncTypes: ['device', 'peripheral'] }, outputIds: [['average']] },
    { type: 'mqttTopic', key: 'sensors/+/temp', config: { integrationId: 'local' } },
  ],
  nodes: [
    {
      id: 'average',
      type: 'CustomNodeExecuteNode',
      config: {
        customNodeId: OTHER_ID,
        customNodeVersion: 'v2',
        fields: [{ id: 'values', value: '{{data}}' }],
        resultPath: 'working.mean',
      },
      meta: at('logic', 'custom-node-execute-node', 'Average'),
      outputIds: [['log']],
    },
    debug('log'),
  ],
};

const embedded: FlowGraph = {
  minimumAgentVersion: '0.0.0',
  triggers: [
    {
      type: 'timer',
      key: 'BpXlF3dK6GvM0nE4ZyUxo',
      config: { seconds: 0.5 },
      meta: { ...at('trigger', 'timer', 'Timer'), timerTypeSelect: 'seconds', uiId: 'a1b2' },
      outputIds: [['read']],
    },
    { type: 'onBoot', config: {}, meta: at('trigger', 'eeaInit', 'EEA: Init'), outputIds: [['read']] },
    { type: 'direct', key: 'button-a', config: {}, meta: at('trigger', 'direct', 'Direct') },
    { type: 'deviceCommand', meta: at('trigger', 'deviceCommand', 'Command'), outputIds: [['read']] },
    { type: 'mqttTopic', key: 'pumps/all', meta: at('trigger', 'mqtt', 'MQTT') },
    { type: 'virtualButton', meta: at('trigger', 'virtualButton', 'Button') },
  ],
  nodes: [
    {
      id: 'read',
      type: 'RegisteredFunctionNode',
      config: {
        functionName: 'read_temp',
        inputs: [],
        outputs: [{ type: 'f32', destinationPath: 'working.temp' }],
        resultPath: 'working.code',
      },
      meta: at('data', 'registered-function', 'Read'),
      outputIds: [['report']],
    },
    {
      id: 'report',
      type: 'DeviceChangeStateNode',
      config: { attrDataMethod: 'payloadPath', attrPayloadPath: 'working' },
      meta: at('output', 'device-state', 'Report'),
      outputIds: [[]],
    },
  ],
};

const experience: FlowGraph = {
  triggers: [
    { type: 'endpoint', key: OTHER_ID, meta: at('trigger', 'endpoint', 'GET /'), outputIds: [['reply']] },
    { type: 'flowError', config: { scope: 'local' }, outputIds: [['reply']] },
  ],
  nodes: [
    {
      id: 'reply',
      type: 'EndpointReplyNode',
      config: { responseCodeTemplate: '200', bodyTemplate: '{"ok":true}', headers: [] },
      meta: at('output', 'endpoint-reply', 'Reply'),
      outputIds: [],
    },
  ],
};

const customNode: FlowGraph = {
  customNodeConfig: {
    outputCount: 2,
    resultMode: 'optional',
    resultDescription: 'The value, in Celsius',
    fields: [
      { type: 'numberTemplate', id: 'fahrenheit', label: 'Fahrenheit', required: true, validMin: -459.67 },
      { type: 'section', label: 'Limits' },
      { type: 'select', id: 'unit', label: 'Unit', defaultValue: 'c', options: [{ value: 'c' }] },
    ],
  },
  triggers: [
    {
      type: 'customNodeStart',
      key: 'customNodeStart',
      config: {},
      meta: at('trigger', 'customNodeStart', 'Start'),
      outputIds: [['convert']],
    },
    { type: 'virtualButton', meta: { ...at('trigger', 'virtualButton', 'Try'), payload: '' } },
  ],
  nodes: [
    { id: 'convert', type: 'MathNode', config: { statements: [] }, outputIds: [['no', 'yes']] },
    {
      id: 'no',
      type: 'CustomNodeCapNode',
      config: { branchIndexTemplate: '0', resultSourcePath: 'working.c' },
      meta: at('customNodeEnd', 'custom-node-end-false', 'Return False'),
      outputIds: [[]],
    },
    {
      id: 'yes',
      type: 'CustomNodeCapNode',
      config: { branchIndexTemplate: '1', resultSourcePath: 'working.c' },
      meta: at('customNodeEnd', 'custom-node-end-true', 'Return True'),
      outputIds: [[]],
    },
  ],
};

export const SAMPLES: readonly (readonly [name: string, flowClass: FlowClass, graph: FlowGraph])[] = [
  ['an alarm', 'cloud', alarm],
  ['a loop', 'cloud', loop],
  ['an edge workflow', 'edge', edge],
  ['an embedded workflow', 'embedded', embedded],
  ['an experience workflow', 'experience', experience],
  ['a custom node', 'customNode', customNode],
  ['an empty workflow', 'cloud', {}],
];

export const SAMPLE = { alarm, loop, edge, embedded, experience, customNode };
