import { bundleOf, SILENT } from '../../../test/suites/embedded/bundle.js';
import { Host } from '../../../test/suites/embedded/host.js';
import { compile } from './compile.js';

/** Each tick runs a workflow that creates texts, lists and objects, stores and sends them; every tenth run fails. */
const BUSY = bundleOf({
  busy: {
    triggers: [{ type: 'timer', key: 'tick', config: { seconds: 0.001 }, outputIds: [['reckon']] }],
    nodes: [
      {
        id: 'reckon',
        type: 'MathNode',
        config: {
          statements: [
            { expression: '{{time}} / 7 % 1000', resultPath: 'data.level' },
            { expression: '{{time}} % 10', resultPath: 'data.turn' },
          ],
        },
        outputIds: [['store', 'choose']],
      },
      {
        id: 'store',
        type: 'StoreValueNode',
        config: { keyName: 'level {{data.turn}}', valueType: 'path', valuePath: 'data' },
      },
      {
        id: 'choose',
        type: 'ConditionalNode',
        config: { expression: '{{data.level}} > 500' },
        outputIds: [['make'], ['make']],
      },
      {
        id: 'make',
        type: 'MutateNode',
        config: {
          rules: [
            {
              type: 'set',
              valueTemplate: '{ "level": {{data.level}}, "all": [{{data}}, "{{flowName}} {{data.turn}}"] }',
              valueTemplateType: 'json',
              destination: 'working.made',
            },
          ],
        },
        outputIds: [['fail']],
      },
      {
        id: 'fail',
        type: 'ConditionalNode',
        config: { expression: '{{data.turn}} === 9' },
        outputIds: [['send'], ['throw']],
      },
      { id: 'throw', type: 'ThrowErrorNode', config: { messageTemplate: 'turn {{data.turn}}' } },
      {
        id: 'send',
        type: 'MqttMessageNode',
        config: { topicTemplate: 'levels/{{data.turn}}', messageTemplate: '{{working.made.all}}' },
      },
    ],
  },
});

/** With FULL=1, the number of loops that a device at ten loops per second runs in eleven days. */
const LOOPS = process.env.FULL ? 10_000_000 : 20_000;

it('a module does not leak memory', async () => {
  const { module } = await compile(BUSY, SILENT);
  const host = Host.started(module);
  const loop = (times: number): void => {
    for (let i = 0; i < times; i++) {
      host.loop(1);
      host.sent.length = 0;
      host.called.length = 0;
    }
  };
  loop(2_000);
  const { byteLength } = host.memory.buffer;
  expect(byteLength).toBeLessThanOrEqual(32 * 65_536);
  loop(LOOPS);
  expect(host.memory.buffer.byteLength).toBe(byteLength);
  expect(host.time).toBe(1_700_000_000_000 + 2_000 + LOOPS);
}, 3_600_000);
