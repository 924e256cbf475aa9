import { Config } from '../../config/config.js';
import type { Bundle } from './bundle.js';
import { Host } from '../../../test/suites/embedded/host.js';
import { ModuleCompiler } from './module-compiler.js';
import {
  contentOf,
  optionsIn,
  optionsOf,
  recipeOf,
} from '../../modules/deployments/embedded-modules/module-metadata.js';

const BUNDLE: Bundle = {
  deviceId: '575ecf887ae143cd83dc4aa2',
  deploymentId: '575ecf887ae143cd83dc4aa3',
  identifier: '1781323200000',
  globals: [],
  flows: [
    {
      flowId: '575ecf887ae143cd83dc4aa4',
      name: 'Pulse',
      version: 'develop',
      graph: {
        triggers: [{ type: 'timer', key: 't', config: { seconds: 1 }, outputIds: [['n1']] }],
        nodes: [{ id: 'n1', type: 'DebugNode', config: { message: 'Beat' }, outputIds: [[]] }],
      },
    },
  ],
};
const broken: Bundle = {
  ...BUNDLE,
  flows: [
    { ...BUNDLE.flows[0]!, graph: { ...BUNDLE.flows[0]!.graph, nodes: [{ id: 'n1', type: 'NoSuchNode' }] } },
  ],
};
const options = optionsOf({ exportMemory: true }, 'fieldwright');
const ORDER = { ownerId: 'a' };
const compilers: ModuleCompiler[] = [];
const compiler = (env: Record<string, string> = {}) => {
  compilers.push(new ModuleCompiler(Config.from(env)));
  return compilers.at(-1)!;
};
afterEach(() => Promise.all(compilers.splice(0).map((one) => one.onModuleDestroy())));

describe('module compiler', () => {
  it('returns a working module or a compile error, and reuses its process', async () => {
    const one = compiler();
    const answer = await one.compile({ bundle: BUNDLE, options }, ORDER);
    const pids = one.pids;
    if ('refused' in answer) throw new Error(answer.refused);
    expect(answer).toMatchObject({ interfaceVersion: '1.0.0', compiled: { imports: [] } });
    const host = Host.started(answer.compiled.module, { deviceId: BUNDLE.deviceId });
    expect(host.exports.eea_loop!(BigInt(host.time))).toBe(0);
    expect(host.sent.map(({ topic }) => topic)).toEqual([`fieldwright/${BUNDLE.deviceId}/fromAgent/debug`]);
    const refusal = await one.compile({ bundle: broken, options }, ORDER);
    expect(refusal).toEqual({ refused: expect.stringMatching(/^workflow "Pulse", node n1.*NoSuchNode/) });
    expect(one.pids).toEqual(pids);
  });

  it('aborts a compilation that exceeds the time limit', async () => {
    const one = compiler({ COMPILE_TIMEOUT: '1' });
    const flows = Array.from({ length: 200 }, (_, i) => ({
      ...BUNDLE.flows[0]!,
      flowId: String(i).padStart(24, '0'),
    }));
    await expect(one.compile({ bundle: { ...BUNDLE, flows }, options }, ORDER)).rejects.toMatchObject({
      fault: 'time',
      message: 'It took longer than 1 seconds',
    });
    expect(one.pids).toEqual([]);
  });
});

describe('recipe', () => {
  it('contains all options and is the same whether defaults are omitted or not', () => {
    const asked = { traceLevel: 0, exportMemory: true, debugSymbols: false } as const;
    expect(recipeOf(optionsOf(asked, 'fieldwright'))).toBe(recipeOf(options));
    expect(optionsIn(recipeOf(options))).toEqual(options);
    expect(recipeOf(optionsOf({ stackSize: 1_600 }, 'fieldwright'))).not.toBe(recipeOf(options));
  });

  it('yields a different content digest for a different bundle', () => {
    const recipe = recipeOf(options);
    expect(contentOf(BUNDLE, recipe)).toBe(contentOf({ ...BUNDLE }, recipe));
    expect(contentOf(broken, recipe)).not.toBe(contentOf(BUNDLE, recipe));
  });
});
