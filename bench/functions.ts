import { parseArgs } from 'node:util';
import { ScriptFunctions } from '../src/workflows/engine/sandbox/script-functions.js';
import { ScriptHosts } from '../src/workflows/engine/sandbox/script-hosts.js';

// Runs the script of a Function node with payloads of three sizes, and compares it with a plain call of the same code
// between two copies as JSON. CPU time is that of all threads, so other load on the machine hardly changes the ratio.
const { values } = parseArgs({ options: { 'cpu-ms': { type: 'string', default: '1500' } } });
const CPU_MS = Number(values['cpu-ms']);
const ROUNDS = 3;
const KIB = 1024;
const SIZES = { '1 KiB': KIB, '100 KiB': 100 * KIB, '1 MiB': KIB * KIB };

const SCRIPT = `
  const items = payload.data.items;
  let sum = 0;
  for (const item of items) { sum += item.v; if (item.v > 50) item.hot = true; }
  payload.working.sum = sum;
  payload.working.mean = sum / items.length;
  payload.working.names = items.filter((item) => item.v > 90).map((item) => item.name.toUpperCase());`;

function payloadOf(bytes: number): object {
  const items: object[] = [];
  const payload = {
    time: new Date(0),
    flowName: 'Bench',
    globals: { region: 'eu' },
    working: {},
    data: { items },
  };
  for (let i = 0, size = JSON.stringify(payload).length; size < bytes; i++) {
    const item = { name: `sensor-${i % 97}`, v: (i * 7919) % 100, unit: 'bar', ok: i % 3 === 0 };
    items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  return payload;
}

/** Returns the mean CPU time and duration of a call in microseconds. */
async function measure(call: () => unknown): Promise<{ cpu: number; wall: number }> {
  await call();
  const begin = performance.now();
  const before = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    await call();
    const { user, system } = process.cpuUsage(before);
    if (user + system < CPU_MS * 1_000) continue;
    return { cpu: (user + system) / calls, wall: ((performance.now() - begin) / calls) * 1_000 };
  }
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1]!;

const engine = new ScriptHosts();
const functions = new ScriptFunctions(engine, () => undefined);
const { signal } = new AbortController();
// The code that it is compared with is the script above.
// eslint-disable-next-line @typescript-eslint/no-implied-eval
const plain = new Function('payload', SCRIPT) as (payload: unknown) => void;
const copy = (payload: unknown): unknown => JSON.parse(JSON.stringify(payload));

try {
  console.log('| payload | plain, CPU us | sandbox, CPU us | ratio | sandbox, wall us |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [name, bytes] of Object.entries(SIZES)) {
    const payload = payloadOf(bytes);
    const call = { applicationId: 'a', key: 'f/v', script: SCRIPT, payload, signal };
    const rounds: { plain: number; cpu: number; wall: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { cpu } = await measure(() => {
        const own = copy(payload);
        plain(own);
        return copy(own);
      });
      rounds.push({ plain: cpu, ...(await measure(() => functions.call(call, () => undefined))) });
    }
    const figures = [
      median(rounds.map((round) => round.plain)).toFixed(0),
      median(rounds.map((round) => round.cpu)).toFixed(0),
      median(rounds.map((round) => round.cpu / round.plain)).toFixed(1),
      median(rounds.map((round) => round.wall)).toFixed(0),
    ];
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
} finally {
  await engine.stop();
}
