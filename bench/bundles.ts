import { randomBytes } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newId } from '../src/platform/repositories/resource.js';
import { Databases, keepCounts, withClient, type Field } from './databases.js';
import { measured, residentOf } from './memory.js';
import { launchServer, type RunningServer } from './processes.js';
import { EVEN } from './shapes.js';

// Exports an application with many devices, rows and large files, and a small application for comparison. Imports each
// bundle in a fresh process. Measures the memory of the processes: it may grow by some hundred bytes per resource, but
// not with the size of resources or files, or with the number of rows.
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '1024' },
    rows: { type: 'string', default: '1000000' },
  },
});
const MEGABYTE = 1024 * 1024;
const FILE_MEGABYTES = 16;

/** Creates 100 devices per system, each with two tags and six attributes. Each device names its system in a text. */
const DEVICES = `INSERT INTO devices (id, creation_date, last_updated, application_id, name, description, device_class,
    parent_id, tags, attributes, keep_duplicates)
  SELECT $1 || lpad(to_hex(i), 20, '0'), now(), now(), $2, 'Pump ' || i, 'Of ' || s.id,
    CASE WHEN i % 100 = 0 THEN 'system' ELSE 'standalone' END, CASE WHEN i % 100 = 0 THEN NULL ELSE s.id END,
    jsonb_build_array(jsonb_build_object('key', 'site', 'value', 'north'), jsonb_build_object('key', 'of', 'value', s.id)),
    (SELECT jsonb_agg(jsonb_build_object('name', 'attribute-' || n, 'dataType', 'number')) FROM generate_series(1, 6) n), false
  FROM generate_series(0, $3::int - 1) i, LATERAL (SELECT $1 || lpad(to_hex(i - i % 100), 20, '0') AS id) s`;
/** Inserts rows into a data table that was created with two columns. */
const ROWS = (table: string) => `INSERT INTO ${table} (id, created_at, updated_at, c1, c2)
  SELECT $1 || lpad(to_hex(i), 20, '0'), now(), now(), i, 'Reading ' || i FROM generate_series(1, $2::int) i`;
const FILE = `INSERT INTO files (id, creation_date, last_updated, application_id, parent_id, name, type, status, file_size, content_key)
  VALUES ($1, now(), now(), $2, '', $1 || '.bin', 'file', 'completed', $3, $4)`;

async function fill(
  field: Field,
  dataDir: string,
  application: string,
  prefix: string,
  of: Size,
): Promise<void> {
  const folder = `files/${application}`;
  await mkdir(join(dataDir, 'blobs', folder), { recursive: true });
  await withClient(field.env.DATABASE_URL!, async (client) => {
    await client.query(DEVICES, [prefix, application, of.devices]);
    for (let megabytes = 0; megabytes < of.megabytes; megabytes += FILE_MEGABYTES) {
      const id = newId();
      const key = `${folder}/${id}`;
      const content = Array.from({ length: FILE_MEGABYTES }, megabyte);
      await pipeline(Readable.from(content), createWriteStream(join(dataDir, 'blobs', key)));
      await client.query(FILE, [id, application, FILE_MEGABYTES * MEGABYTE, key]);
    }
  });
}

/** Returns content that zip compresses to an eighth, because an uploaded bundle is limited to 256 MiB. */
function megabyte(): Buffer {
  const content = Buffer.alloc(MEGABYTE);
  for (let at = 0; at < MEGABYTE; at += 16_384) randomBytes(2_048).copy(content, at);
  return content;
}

interface Size {
  devices: number;
  megabytes: number;
  rows: number;
}

/** A platform that serves the requests of one tenant. */
class Bench {
  constructor(
    private readonly field: Field,
    private readonly server: RunningServer,
  ) {}

  static async start(field: Field): Promise<Bench> {
    const env = { ...field.env, PROCESS_ROLE: 'all' };
    return new Bench(field, await launchServer('../src/main.js', env, '/health/ready'));
  }

  get pid(): number {
    return this.server.child.pid;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Creates a data table with rows. */
  async addRows(application: string, prefix: string, rows: number): Promise<void> {
    const columns = [
      { name: 'n', dataType: 'number', constraint: 'optional' },
      { name: 'text', dataType: 'string', constraint: 'optional' },
    ];
    const path = `/applications/${application}/data-tables`;
    const { id } = await this.post(path, { name: 'Readings', columns });
    await withClient(this.field.env.DATABASE_URL!, (client) =>
      client.query(ROWS(`data_tables.t_${id as string}`), [prefix, rows]),
    );
  }

  /** Waits for an export of the application to finish and returns the ID of its job. */
  async export(application: string): Promise<string> {
    const everything = { includeDevices: true, includeFiles: true, includeDataTableRows: true };
    return this.ended(
      await this.post(`/applications/${application}/export`, { ...everything, forceJob: true }),
    );
  }

  async import(bundle: string): Promise<void> {
    const form = new FormData();
    form.append('importBundle', await openAsBlob(bundle), 'bundle.zip');
    form.append('options', JSON.stringify({ forceJob: true }));
    await this.ended(await this.post('/applications/import', form));
  }

  private async post(path: string, body: object | FormData): Promise<Record<string, unknown>> {
    const [{ token }] = this.field.tenants as [Field['tenants'][number]];
    const isForm = body instanceof FormData;
    const response = await fetch(`http://127.0.0.1:${this.server.port}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  private ended({ jobId }: Record<string, unknown>): Promise<string> {
    return withClient(this.field.env.DATABASE_URL!, async (client) => {
      for (;;) {
        const { rows } = await client.query('SELECT status, error FROM jobs WHERE id = $1', [jobId]);
        if (rows[0].status === 'completed') return jobId as string;
        if (rows[0].status === 'errored' || rows[0].status === 'failed')
          throw new Error(JSON.stringify(rows[0]));
        await delay(100);
      }
    });
  }
}

const figure = (what: string, { devices, megabytes, rows }: Size, figures: readonly number[]): void =>
  console.log(
    `| ${[what, devices, megabytes, rows, ...figures.map((each) => each.toFixed(0))].join(' | ')} |`,
  );

async function bench(field: Field): Promise<void> {
  const dataDir = field.env.DATA_DIR!;
  const [{ applications }] = field.tenants as [Field['tenants'][number]];
  const sizes: Size[] = [
    { devices: 1_000, megabytes: FILE_MEGABYTES, rows: 10_000 },
    {
      devices: Number(values.devices),
      megabytes: Number(values.megabytes),
      rows: Number(values.rows),
    },
  ];
  console.log(
    '| | devices | MiB of files | rows | seconds | bundle, MiB | before, MiB | peak resident, MiB |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [i, size] of sizes.entries()) {
    const application = applications[i]!;
    await fill(field, dataDir, application, `b00${i}`, size);
    let bundle = '';
    const works: [string, (platform: Bench) => Promise<void>][] = [
      [
        'export',
        async (platform) => {
          const jobId = await platform.export(application);
          bundle = join(dataDir, 'blobs', 'exports', `${jobId}.zip`);
        },
      ],
      ['import', (platform) => platform.import(bundle)],
    ];
    for (const [what, work] of works) {
      const platform = await Bench.start(field);
      try {
        if (what === 'export') {
          await platform.addRows(application, `b00${i}`, size.rows);
          await withClient(field.env.DATABASE_URL!, (client) => client.query('VACUUM ANALYZE'));
          await keepCounts(field.env.DATABASE_URL!);
        }
        const before = await residentOf(platform.pid);
        const { seconds, peak } = await measured(platform.pid, () => work(platform));
        figure(what, size, [seconds, (await stat(bundle)).size / MEGABYTE, before, peak]);
      } finally {
        await platform.stop();
      }
    }
  }
}

const databases = await Databases.start();
try {
  await bench(await databases.fill({ ...EVEN, ordinary: 1 }, 'user'));
} finally {
  await databases.stop();
}
