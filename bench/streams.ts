import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Databases } from './databases.js';
import { LoadGenerator } from './load-generator.js';
import { launchServer, type RunningServer } from './processes.js';
import type { Shape } from './shapes.js';

// Opens many device state streams while devices report. Measures how many events per second the platform delivers, how
// much memory that takes, and how clients that do not read are handled.
const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
  },
});
const STREAMS = Number(values.streams);
const SECONDS = Number(values.seconds);
const DEVICES = 100;
/** All streams of these devices have clients that do not read. */
const UNREAD_DEVICES = 10;
const SENDERS = 32;
/** Size in bytes of events for clients that do not read: enough to exceed any system buffer. */
const LARGE = 100 * 1024;
const LARGE_EVENTS = 150;
/** Number of rounds with clients that do not read; memory must not grow from round to round. */
const ROUNDS = 3;
const TIMEOUT_MS = 30_000;

const SHAPE: Shape = {
  name: 'streams',
  about: 'one owner has 100 devices',
  ordinary: 1,
  asked: 'ordinary',
  analyzed: true,
};
const UNLIMITED = { STREAMS_PER_TOKEN: '0', STREAMS_PER_OWNER: '0', METRICS_PUBLIC: 'true' };

/** No scope group includes those of streams. */
const SCOPES = ['all.User', 'device.stateStream'];

const EVENT = 'event: deviceState\n';

/** One open stream, from the client's side. */
class Reader {
  events = 0;
  isOpen = true;
  private tail = '';

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      const text = this.tail + chunk.toString('latin1');
      this.events += text.split(EVENT).length - 1;
      this.tail = text.slice(1 - EVENT.length);
    });
    socket.once('close', () => (this.isOpen = false));
    socket.on('error', () => undefined);
  }

  /** Resolves when the response has begun. */
  static async open(port: number, path: string, token: string): Promise<Reader> {
    const socket = connect({ port, host: '127.0.0.1' });
    const reader = new Reader(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    if (!head.toString('latin1').startsWith('HTTP/1.1 200 '))
      throw new Error(head.toString('latin1', 0, 300));
    return reader;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Sends reports of devices in turn and returns their number. */
async function reportFor(
  load: LoadGenerator,
  { port }: RunningServer,
  requests: string[],
  how: { seconds: number; once: boolean },
): Promise<number> {
  return (await load.send({ port, connections: SENDERS, requests, ...how })).answers;
}

const sum = (readers: readonly Reader[]): number => readers.reduce((total, { events }) => total + events, 0);

/** Waits until this many events have arrived, or none has arrived for a second. */
async function waitForIdle(readers: readonly Reader[], expected: number): Promise<void> {
  for (let last = -1, now = sum(readers); now < expected && now > last;) {
    last = now;
    await sleep(1_000);
    now = sum(readers);
  }
}

/** Returns the memory of a process in MiB: its resident memory and the JavaScript heap within it. */
async function memoryOf({ port }: RunningServer): Promise<string> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const mebibytes = (name: string): string => {
    const [, bytes] = new RegExp(`^${name} (\\S+)`, 'm').exec(metrics) ?? [];
    return (Number(bytes) / 1024 / 1024).toFixed(0);
  };
  return `${mebibytes('process_resident_memory_bytes')} | ${mebibytes('nodejs_heap_size_used_bytes')}`;
}

async function bench(
  platform: RunningServer,
  load: LoadGenerator,
  tenant: { token: string; applications: readonly string[]; devices: readonly string[] },
): Promise<void> {
  const { token, devices } = tenant;
  const pathOf = (device: number) => `/applications/${tenant.applications[0]}/devices/${devices[device]}`;
  const report = (device: number, body: object): string => {
    const text = JSON.stringify(body);
    return `POST ${pathOf(device)}/state HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  };
  const tell = async (moment: string, more = '') =>
    console.log(`| ${moment} | ${await memoryOf(platform)} | ${more} |`);
  console.log('| | MiB | of JavaScript | |\n| --- | ---: | ---: | --- |');
  const all = Array.from({ length: DEVICES }, (_, device) => device);
  const small = all.map((device) => report(device, { data: { temperature: device, open: true } }));
  // Warms up the server so that later figures exclude the memory growth after a start.
  await reportFor(load, platform, small, { seconds: 5, once: false });
  await tell('before');

  const open = async (streams: readonly number[]): Promise<Reader[]> => {
    const readers: Reader[] = [];
    for (const n of streams)
      readers.push(await Reader.open(platform.port, `${pathOf(n % DEVICES)}/stateStream`, token));
    return readers;
  };
  const numbers = Array.from({ length: STREAMS }, (_, n) => n);
  const isUnread = (n: number) => n % DEVICES < UNREAD_DEVICES;
  const unreadNumbers = numbers.filter(isUnread);
  const read = await open(numbers.filter((n) => !isUnread(n)));
  let unread = await open(unreadNumbers);
  await tell(`${STREAMS} streams`);

  const parts = 3;
  for (let part = 0; part < parts; part++) {
    const before = sum(read);
    const begin = performance.now();
    const reports = await reportFor(load, platform, small.slice(UNREAD_DEVICES), {
      seconds: SECONDS / parts,
      once: false,
    });
    const expected = reports * (STREAMS / DEVICES);
    await waitForIdle(read, before + expected);
    const seconds = (performance.now() - begin) / 1000;
    const events = sum(read) - before;
    await tell(
      `${Math.round(SECONDS / parts)} s of reports`,
      `${Math.round(reports / seconds)} reports and ${Math.round(events / seconds)} events per second; ${expected - events} of ${expected} missing`,
    );
  }

  const large = all
    .slice(0, UNREAD_DEVICES)
    .map((device) => report(device, { data: { open: true }, meta: 'x'.repeat(LARGE) }));
  const requests = Array.from({ length: LARGE_EVENTS }, () => large).flat();
  for (let round = 1; round <= ROUNDS; round++) {
    unread.forEach((reader) => reader.pause());
    await reportFor(load, platform, requests, { seconds: TIMEOUT_MS / 1000, once: true });
    const after = await memoryOf(platform);
    unread.forEach((reader) => reader.resume());
    await waitForIdle(unread, Infinity);
    const cut = unread.filter(({ isOpen }) => !isOpen).length;
    const lost = read.filter(({ isOpen }) => !isOpen).length;
    console.log(
      `| ${LARGE_EVENTS} events of 100 KiB to each of ${unread.length} clients that do not read, round ${round} | ${after} | ${cut} of them and ${lost} of the others disconnected |`,
    );
    unread.forEach((reader) => reader.close());
    if (round < ROUNDS) unread = await open(unreadNumbers);
  }
  read.forEach((reader) => reader.close());
  await reportFor(load, platform, small, { seconds: SECONDS / parts, once: false });
  await tell('all closed, then reports again');
}

const databases = await Databases.start();
const load = LoadGenerator.start();
try {
  const field = await databases.fill(SHAPE, 'user');
  const env = { ...field.env, ...UNLIMITED, PROCESS_ROLE: 'all' };
  const platform = await launchServer('../src/main.js', env, '/health');
  try {
    const tenant = field.tenants[0]!;
    await bench(platform, load, { ...tenant, token: field.newToken(tenant, SCOPES) });
  } finally {
    await platform.stop();
  }
} finally {
  load.stop();
  await databases.stop();
}
