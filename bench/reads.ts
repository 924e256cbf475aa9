import { parseArgs } from 'node:util';
import { HOUR } from '../src/modules/devices/device-state/device-hours.columns.js';
import { DAY } from '../src/modules/devices/device-state/device-partitions.repository.js';
import { Databases, keepCounts, withClient, type Field } from './databases.js';
import { launchServer } from './processes.js';
import {
  ALIKE,
  ATTRIBUTES,
  START_TIME,
  DAYS,
  idOf,
  LAST_DAY,
  seedDevices,
  seedReports,
} from './reads-data.js';
import { EVEN } from './shapes.js';

// Measures how long listing devices and reading their data takes for a caller that sends one request at a time. Lists
// of an application with 1,000 devices are compared with those of a much larger one, and must cost the same.
const FEW = 1_000;
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000000' },
    reporting: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '9' },
  },
});
const MANY = Number(values.devices);
const REPORTING = Number(values.reporting);
const ROUNDS = Number(values.rounds);

interface Read {
  name: string;
  path: string;
  /** Body of the request, for queries sent with POST. */
  body?: object;
}

/** Returns lists of 100 devices for an application with this many devices. */
const lists = (count: number): Read[] =>
  Object.entries<Record<string, string>>({
    'sorted by name': {},
    'last page': { page: String(Math.ceil(count / 100) - 1) },
    'by class': { deviceClass: '"standalone"' },
    [`by a tag of ${ALIKE} devices`]: { tagFilter: '[{"key":"site","value":"site-1"}]' },
    'by name': { filter: 'Device 00000123' },
    [`by a name prefix of ${ALIKE} devices`]: { filter: 'Device 000001*' },
    'by part of a name': { filter: '*00123*' },
  }).map(([name, asked]) => ({
    name,
    path: `devices?${new URLSearchParams({ perPage: '100', ...asked }).toString()}`,
  }));

const idsOf = (count: number): string[] =>
  Array.from({ length: Math.min(count, REPORTING) }, (_, i) => idOf('reporting', i));
const series = (name: string, count: number, query: object): Read => ({
  name,
  path: 'data/time-series-query',
  body: { attributes: ['a1'], ...query, deviceIds: idsOf(count) },
});

const ALL = Array.from({ length: ATTRIBUTES }, (_, i) => `a${i + 1}`);
const day = { start: LAST_DAY, end: LAST_DAY + DAY };
const month = { start: START_TIME, end: START_TIME + DAYS * DAY };

/** Reads of devices that report. A response is limited to 500,000 values: a month of hourly values for 672 devices. */
const READS: readonly Read[] = [
  series('a day of reported values, one attribute of 1 device', 1, day),
  series('a day of reported values, one attribute of 1,000 devices', 1_000, day),
  series('a day of hourly values, 10 attributes of 1,000 devices', 1_000, {
    ...day,
    resolution: HOUR,
    attributes: ALL,
  }),
  series('a month of hourly values, one attribute of 1 device', 1, { ...month, resolution: HOUR }),
  series('a month of hourly values, 10 attributes of 1 device', 1, {
    ...month,
    resolution: HOUR,
    attributes: ALL,
  }),
  series('a month of hourly values, one attribute of 100 devices', 100, { ...month, resolution: HOUR }),
  series('a month of hourly values, one attribute of 600 devices', 600, { ...month, resolution: HOUR }),
  series('a month of daily values, one attribute of 1,000 devices', 1_000, { ...month, resolution: DAY }),
  { name: 'latest values of 1 device', path: `devices/${idOf('reporting', 0)}/compositeState` },
  { name: 'latest values of a page of 1,000 devices', path: 'devices/compositeState?perPage=1000' },
  { name: 'last values of 1,000 devices', path: 'data/last-value-query', body: { deviceIds: idsOf(1_000) } },
];

/** Duration of a request in milliseconds, and size of the response. A search that exceeds its time limit is refused. */
interface Cost {
  time: number;
  bytes: number;
  isRefused: boolean;
}

interface Answer {
  text: string;
  isRefused: boolean;
}

/**
 * Sends the reads in turn, for several rounds, so that a brief disturbance of the machine does not affect one read
 * alone.
 */
async function measure(reads: readonly Read[], send: (read: Read) => Promise<Answer>): Promise<Cost[]> {
  const times: number[][] = reads.map(() => []);
  const answers: Answer[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [i, read] of reads.entries()) {
      const begin = performance.now();
      answers[i] = await send(read);
      if (round >= 0) times[i]!.push(performance.now() - begin);
    }
  return times.map((of, i) => ({
    time: of.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!,
    bytes: answers[i]!.text.length,
    isRefused: answers[i]!.isRefused,
  }));
}
const WARM_UP = 2;

async function bench(field: Field): Promise<void> {
  const [{ token, applications }] = field.tenants as [Field['tenants'][number]];
  const [few, many, reporting] = applications.slice(1) as [string, string, string];
  const url = field.env.DATABASE_URL!;
  await withClient(url, async (client) => {
    await seedDevices(client, 'few', few, FEW);
    await seedDevices(client, 'many', many, MANY);
    await seedDevices(client, 'reporting', reporting, REPORTING);
    await seedReports(client, url, reporting, REPORTING);
    await client.query('VACUUM ANALYZE');
  });
  await keepCounts(url);
  const server = await launchServer('../src/main.js', { ...field.env, PROCESS_ROLE: 'api' }, '/health');
  const sendTo =
    (application: string) =>
    async ({ path, body }: Read): Promise<Answer> => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/applications/${application}/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      const text = await answer.text();
      const isRefused = answer.status === 400 && text.includes('took too long');
      if (!answer.ok && !isRefused)
        throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
      return { text, isRefused };
    };
  try {
    const ofFew = await measure(lists(FEW), sendTo(few));
    const ofMany = await measure(lists(MANY), sendTo(many));
    console.log(`| 100 devices | of ${FEW} | of ${MANY} | ratio |\n| --- | ---: | ---: | ---: |`);
    for (const [i, { name }] of lists(FEW).entries()) {
      const [less, more] = [ofFew[i]!, ofMany[i]!];
      console.log(`| ${name} | ${shown(less)} | ${shown(more)} | ${(more.time / less.time).toFixed(1)} |`);
    }
    console.log(
      `\n| ${REPORTING} devices with ${ATTRIBUTES} attributes, ${DAYS} days | kB | time |\n| --- | ---: | ---: |`,
    );
    for (const [i, cost] of (await measure(READS, sendTo(reporting))).entries())
      console.log(`| ${READS[i]!.name} | ${Math.round(cost.bytes / 1_000)} | ${shown(cost)} |`);
  } finally {
    await server.stop();
  }
}

const shown = ({ time, isRefused }: Cost): string =>
  `${isRefused ? 'refused after ' : ''}${time.toFixed(1)} ms`;

const databases = await Databases.start();
try {
  await bench(await databases.fill({ ...EVEN, ordinary: 1 }, 'user'));
} finally {
  await databases.stop();
}
