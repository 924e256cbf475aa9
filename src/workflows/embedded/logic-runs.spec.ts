import fc from 'fast-check';
import { checkGraph } from '../graph/graph.rules.js';
import { Host } from '../../../test/suites/embedded/host.js';
import { logicGraphs, modelled, type LoggedMessage } from '../../../test/suites/embedded/logic-model.js';
import { compile } from './compile.js';

const SOURCES = [[], ['one'], [1, { a: [2] }, 'three']];

it('random workflows behave on a device as their nodes specify', async () => {
  const graphs = fc
    .sample(logicGraphs, 60)
    .filter((nodes) => SOURCES.every((source) => modelled(nodes, source).length < 300));
  const flows = graphs.map((nodes, i) => ({
    flowId: String(i).padStart(24, '0'),
    name: `flow ${i}`,
    version: 'v1',
    graph: { triggers: [{ type: 'direct', key: `${i}`, outputIds: [[nodes[0]!.id!]] }], nodes },
  }));
  for (const { graph } of flows) checkGraph('embedded', graph);
  const { module } = await compile(
    {
      globals: [],
      flows,
    },
    { traceLevel: 0, disableDebugMessage: false, debugSymbols: false, exportMemory: true },
  );
  for (const source of SOURCES) {
    const host = new Host(module);
    host.exports.eea_config_set_message_buffer_lengths!(256, 100_000);
    host.exports.eea_init!();
    graphs.forEach((nodes, i) => {
      expect(toldBy(host, `${i}`, source)).toEqual(modelled(nodes, source));
    });
  }
}, 180_000);

/** Returns the debug messages of a run with this trigger. */
function toldBy(host: Host, trigger: string, source: unknown): LoggedMessage {
  const before = host.sent.length;
  expect(host.direct(trigger, { source })).toBe(0);
  expect(host.loop()).toBe(0);
  const messages = host.sent.slice(before).flatMap(({ payload }) => JSON.parse(payload) as Message[]);
  return messages.map(({ message, payload, error }) => [message, error ? payload.working : payload]);
}

interface Message {
  message: string;
  payload: { working?: unknown };
  error?: object;
}
