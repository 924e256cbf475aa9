import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Databases, withClient, type Field } from './databases.js';
import { launchServer, type RunningServer } from './processes.js';
import { ATTRIBUTES, idOf, seedDevices } from './reads-data.js';
import { EVEN } from './shapes.js';

// Sends many points through the API, as reports of 100 states of 10 attributes, and samples the memory of the process.
const { values } = parseArgs({ options: { points: { type: 'string', default: '1000000' } } });
const DEVICES = 1_000;
const STATES = 100;
const CONNECTIONS = 16;
const MINUTE = 60_000;
const PARTS = 10;
const reports = Math.ceil(Number(values.points) / (STATES * ATTRIBUTES));

/** Returns a report of the next device in turn; the reports of a device are in order of time. */
function bodyOf(report: number, begin: number): string {
  const first = begin + Math.floor(report / DEVICES) * STATES * MINUTE;
  return JSON.stringify(
    Array.from({ length: STATES }, (_, state) => ({
      time: first + state * MINUTE,
      data: Object.fromEntries(
        Array.from({ length: ATTRIBUTES }, (_, i) => [`a${i + 1}`, ((report + state * 7 + i) % 997) / 10]),
      ),
    })),
  );
}

/** Returns the memory of a process in megabytes; `undefined` if the operating system does not report it. */
async function memoryOf({ child }: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_000);
}

async function bench(field: Field): Promise<void> {
  const [{ token, applications }] = field.tenants as [Field['tenants'][number]];
  const application = applications[1]!;
  await withClient(field.env.DATABASE_URL!, (client) =>
    seedDevices(client, 'reporting', application, DEVICES),
  );
  const server = await launchServer('../src/main.js', { ...field.env, PROCESS_ROLE: 'all' }, '/health');
  const begin = Date.now() - 20 * 24 * 60 * MINUTE;
  const send = async (report: number): Promise<void> => {
    const path = `applications/${application}/devices/${idOf('reporting', report % DEVICES)}/state`;
    const answer = await fetch(`http://127.0.0.1:${server.port}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: bodyOf(report, begin),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  };
  try {
    console.log(
      '| points | seconds | points per second | memory of the process |\n| ---: | ---: | ---: | ---: |',
    );
    console.log(`| 0 | | | ${await memoryOf(server)} MB |`);
    let next = 0;
    for (let part = 1; part <= PARTS; part++) {
      const [first, end] = [next, Math.ceil((reports * part) / PARTS)];
      const from = performance.now();
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          while (next < end) await send(next++);
        }),
      );
      const seconds = (performance.now() - from) / 1_000;
      const points = (end - first) * STATES * ATTRIBUTES;
      const columns = [end * STATES * ATTRIBUTES, seconds.toFixed(1), Math.round(points / seconds)];
      console.log(`| ${columns.join(' | ')} | ${await memoryOf(server)} MB |`);
    }
  } finally {
    await server.stop();
  }
}

const databases = await Databases.start();
try {
  await bench(await databases.fill({ ...EVEN, ordinary: 1 }, 'user'));
} finally {
  await databases.stop();
}
