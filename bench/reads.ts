import { parseArgs } from 'node:util';
import { HOUR } from '../src/modules/devices/device-state/device-hours.columns.js';
import { DAY } from '../src/modules/devices/device-state/device-partitions.repository.js';
import { Databases, keepCounts, withClient, type Field } from './databases.js';
import { launchServer } from './processes.js';
import { ALIKE, ATTRIBUTES, BEGIN, DAYS, idOf, LAST_DAY, seedDevices, seedReports } from './reads-data.js';
import { EVEN } from './shapes.js';

// Measures what it costs to list devices and to read what they reported, as a caller sees it who sends one request at a time.
// Lists of an application with 1,000 devices stand beside those of one with many more, and are to cost the same.
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
  /** Of a query that is sent. */
  body?: object;
}

/** Lists of 100 devices of an application that has so many. */
const lists = (count: number): Read[] =>
  Object.entries<Record<string, string>>({
    'in order of name': {},
    'the last page': { page: String(Math.ceil(count / 100) - 1) },
    'of a class': { deviceClass: '"standalone"' },
    [`of a tag that ${ALIKE} have`]: { tagFilter: '[{"key":"site","value":"site-1"}]' },
    'of a name': { filter: 'Device 00000123' },
    [`of a beginning of a name that ${ALIKE} have`]: { filter: 'Device 000001*' },
    'of a part of a name': { filter: '*00123*' },
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
const month = { start: BEGIN, end: BEGIN + DAYS * DAY };

/** What is read of devices that report. An answer has 500,000 values at most: a month by the hour of 672 devices. */
const READS: readonly Read[] = [
  series('a day as it was reported, an attribute of 1 device', 1, day),
  series('a day as it was reported, an attribute of 1,000 devices', 1_000, day),
  series('a day by the hour, 10 attributes of 1,000 devices', 1_000, {
    ...day,
    resolution: HOUR,
    attributes: ALL,
  }),
  series('a month by the hour, an attribute of 1 device', 1, { ...month, resolution: HOUR }),
  series('a month by the hour, 10 attributes of 1 device', 1, {
    ...month,
    resolution: HOUR,
    attributes: ALL,
  }),
  series('a month by the hour, an attribute of 100 devices', 100, { ...month, resolution: HOUR }),
  series('a month by the hour, an attribute of 600 devices', 600, { ...month, resolution: HOUR }),
  series('a month by the day, an attribute of 1,000 devices', 1_000, { ...month, resolution: DAY }),
  { name: 'newest values of 1 device', path: `devices/${idOf('reporting', 0)}/compositeState` },
  { name: 'newest values of a page of 1,000 devices', path: 'devices/compositeState?perPage=1000' },
  { name: 'last values of 1,000 devices', path: 'data/last-value-query', body: { deviceIds: idsOf(1_000) } },
];

/** What an answer takes, in milliseconds, and how large it is; a search that takes longer than it may is refused. */
interface Cost {
  time: number;
  bytes: number;
  isRefused: boolean;
}

interface Answer {
  text: string;
  isRefused: boolean;
}

/** Sends each read in turn, and that for several rounds: what disturbs the machine for a moment is no one's in particular. */
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
    console.log(`| 100 devices | of ${FEW} | of ${MANY} | times |\n| --- | ---: | ---: | ---: |`);
    for (const [i, { name }] of lists(FEW).entries()) {
      const [less, more] = [ofFew[i]!, ofMany[i]!];
      console.log(`| ${name} | ${shown(less)} | ${shown(more)} | ${(more.time / less.time).toFixed(1)} |`);
    }
    console.log(
      `\n| of ${REPORTING} devices with ${ATTRIBUTES} attributes, ${DAYS} days | kB | time |\n| --- | ---: | ---: |`,
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
