import { parseArgs } from 'node:util';
import { compileProgram } from '../src/workflows/engine/compile-program.js';
import { execute } from '../src/workflows/engine/execution.js';
import type { RunOutcome } from '../src/workflows/engine/run-request.js';
import type { Ports } from '../src/workflows/engine/ports.js';
import type { FlowGraph } from '../src/workflows/graph/graph.js';

// Executes a workflow of ten nodes, with a loop of ten rounds, and compares the CPU time with that of the same work as
// handwritten JavaScript. Both parse the payload, as a run does.
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '7' } },
});
const RUNS = Number(values.runs);
const ROUNDS = Number(values.rounds);

const set = (destination: string, valueTemplate: string, valueTemplateType = 'string') => ({
  type: 'set',
  destination,
  valueTemplate,
  valueTemplateType,
});
const math = (...statements: [resultPath: string, expression: string][]) => ({
  statements: statements.map(([resultPath, expression]) => ({ resultPath, expression })),
});

const GRAPH: FlowGraph = {
  triggers: [{ type: 'webhook', key: 'key', outputIds: [['check']] }],
  nodes: [
    {
      id: 'check',
      type: 'ConditionalNode',
      config: { expression: '{{data.body.temp}} > 20 && {{globals.region}} === "eu"' },
      outputIds: [['done'], ['describe']],
    },
    {
      id: 'describe',
      type: 'MutateNode',
      config: {
        rules: [
          set('working.text', 'Pump {{data.body.name}} is {{data.body.temp}} C in {{globals.region}}'),
          set('working.tags', '{{data.body.tags}}', 'json'),
          { type: 'copy', source: 'data.body.name', destination: 'working.name' },
        ],
      },
      outputIds: [['convert']],
    },
    {
      id: 'convert',
      type: 'MathNode',
      config: math(
        ['working.f', '({{data.body.temp}} * 9 / 5) + 32'],
        ['working.square', '{{data.body.temp}} ^ 2'],
      ),
      outputIds: [['loop']],
    },
    {
      id: 'loop',
      type: 'LoopNode',
      config: { loopSourcePath: 'data.body.readings', currentItemPath: 'working.item' },
      outputIds: [['compare'], ['sum']],
    },
    {
      id: 'sum',
      type: 'MathNode',
      config: math(['working.sum', '{{working.item.value}} * 2 + {{working.item.index}}']),
      meta: { groupId: 'loop' },
      outputIds: [['last']],
    },
    {
      id: 'last',
      type: 'MutateNode',
      config: { rules: [set('working.last', 'r{{working.item.index}}={{working.sum}}')] },
      meta: { groupId: 'loop' },
      outputIds: [['next']],
    },
    { id: 'next', type: 'LoopCapNode', config: { loopNodeId: 'loop' }, meta: { groupId: 'loop' } },
    {
      id: 'compare',
      type: 'ConditionalNode',
      config: { expression: '{{working.f}} > 70' },
      outputIds: [['write'], ['write']],
    },
    {
      id: 'write',
      type: 'MutateNode',
      config: { rules: [set('working.json', '{"f": {{working.f}}, "n": "{{working.name}}"}')] },
      outputIds: [['done']],
    },
    { id: 'done', type: 'DebugNode', config: { message: 'done {{working.text}}' } },
  ],
};

interface HandPayload {
  readonly data: {
    readonly body: {
      readonly name: string;
      readonly temp: number;
      readonly tags: string[];
      readonly readings: number[];
    };
  };
  readonly globals: { readonly region: string };
  working?: Record<string, unknown>;
}

const PAYLOAD = JSON.stringify({
  time: '2026-01-01T00:00:00.000Z',
  applicationId: 'a'.repeat(24),
  applicationName: 'Pump station',
  flowId: 'f'.repeat(24),
  flowName: 'Alarm',
  flowVersion: 'develop',
  triggerId: 'key',
  triggerType: 'webhook',
  globals: { region: 'eu', limit: 42 },
  data: {
    method: 'post',
    headers: { 'content-type': 'application/json', host: 'example.com', 'user-agent': 'curl/8' },
    query: {},
    path: '/',
    body: { name: 'P-17', temp: 23.5, tags: ['a', 'b'], readings: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  },
});

function byHand(payload: HandPayload): HandPayload {
  const { name, temp, tags, readings } = payload.data.body;
  const working: Record<string, unknown> = (payload.working ??= {});
  if (!(temp > 20 && payload.globals.region === 'eu')) return payload;
  working.text = `Pump ${name} is ${temp} C in ${payload.globals.region}`;
  working.tags = tags;
  working.name = name;
  const f = (temp * 9) / 5 + 32;
  working.f = f;
  working.square = temp ** 2;
  readings.forEach((value, index) => {
    working.item = { value, index };
    const sum = value * 2 + index;
    working.sum = sum;
    working.last = `r${index}=${sum}`;
  });
  working.json = `{"f": ${f}, "n": "${name}"}`;
  return payload;
}

const program = compileProgram({
  applicationId: 'a'.repeat(24),
  applicationName: 'Pump station',
  flowId: 'f'.repeat(24),
  flowName: 'Alarm',
  flowVersionId: null,
  flowVersion: 'develop',
  flowClass: 'cloud',
  graph: GRAPH,
  outerGlobals: [],
});

const run = (isTraced = false): Promise<RunOutcome> =>
  execute({
    id: 'run',
    program,
    triggers: program.triggers,
    payload: JSON.parse(PAYLOAD) as Record<string, unknown>,
    ports: {} as Ports,
    isTraced,
  });

/** Returns the microseconds of CPU that a run takes. */
async function cpuOf(once: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < RUNS; i++) await once();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RUNS;
}

const outcome = await run();
if (outcome.pathsCompleted !== 1) throw new Error(JSON.stringify(outcome.errors));

const CASES = {
  'JSON.parse of the payload': () => JSON.parse(PAYLOAD) as unknown,
  'handwritten JavaScript': () => byHand(JSON.parse(PAYLOAD) as HandPayload),
  executor: () => run(),
  'executor with a trace': () => run(true),
};
const measured = new Map<string, number[]>();
// Cases alternate, so that other load of the machine affects all of them.
for (let round = 0; round <= ROUNDS; round++)
  for (const [name, once] of Object.entries(CASES)) {
    const micros = await cpuOf(once);
    // The first round warms up.
    if (round > 0) measured.set(name, [...(measured.get(name) ?? []), micros]);
  }
const median = (name: keyof typeof CASES): number => measured.get(name)!.sort((a, b) => a - b)[ROUNDS >> 1]!;

console.log('| case | µs of CPU | compared with handwritten |\n| --- | ---: | ---: |');
for (const name of Object.keys(CASES) as (keyof typeof CASES)[]) {
  const micros = median(name);
  console.log(
    `| ${name} | ${micros.toFixed(1)} | ${(micros / median('handwritten JavaScript')).toFixed(1)} |`,
  );
}
