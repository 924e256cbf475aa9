import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newId } from '../src/platform/resource.js';
import { Databases, keepCounts, withClient, type Field } from './databases.js';
import { measured, residentOf } from './memory.js';
import { launchServer } from './processes.js';
import { EVEN } from './shapes.js';

// Exports an application with very many devices and large files, beside one with few, and measures the memory of the process
// meanwhile: it may follow from the number of resources, a few hundred bytes each, and not from their size or that of files.
const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '1024' },
  },
});
const MEGABYTE = 1024 * 1024;
const FILE_MEGABYTES = 16;

/** A hundred to a system, with two tags and six attributes; each names its system in a text. */
const DEVICES = `INSERT INTO devices (id, creation_date, last_updated, application_id, name, description, device_class,
    parent_id, tags, attributes, keep_duplicates)
  SELECT $1 || lpad(to_hex(i), 20, '0'), now(), now(), $2, 'Pump ' || i, 'Of ' || s.id,
    CASE WHEN i % 100 = 0 THEN 'system' ELSE 'standalone' END, CASE WHEN i % 100 = 0 THEN NULL ELSE s.id END,
    jsonb_build_array(jsonb_build_object('key', 'site', 'value', 'north'), jsonb_build_object('key', 'of', 'value', s.id)),
    (SELECT jsonb_agg(jsonb_build_object('name', 'attribute-' || n, 'dataType', 'number')) FROM generate_series(1, 6) n), false
  FROM generate_series(0, $3::int - 1) i, LATERAL (SELECT $1 || lpad(to_hex(i - i % 100), 20, '0') AS id) s`;
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
      const content = Array.from({ length: FILE_MEGABYTES }, () => randomBytes(MEGABYTE));
      await pipeline(Readable.from(content), createWriteStream(join(dataDir, 'blobs', key)));
      await client.query(FILE, [id, application, FILE_MEGABYTES * MEGABYTE, key]);
    }
  });
}

interface Size {
  devices: number;
  megabytes: number;
}

async function bench(field: Field): Promise<void> {
  const dataDir = field.env.DATA_DIR!;
  const [{ token, applications }] = field.tenants as [Field['tenants'][number]];
  const sizes: Size[] = [
    { devices: 1_000, megabytes: FILE_MEGABYTES },
    { devices: Number(values.devices), megabytes: Number(values.megabytes) },
  ];
  for (const [i, size] of sizes.entries()) await fill(field, dataDir, applications[i]!, `b00${i}`, size);
  await withClient(field.env.DATABASE_URL!, (client) => client.query('VACUUM ANALYZE'));
  await keepCounts(field.env.DATABASE_URL!);
  const env = { ...field.env, PROCESS_ROLE: 'all' };
  const server = await launchServer('../src/main.js', env, '/health/ready', ['--max-semi-space-size=64']);
  const jobEnds = (id: string) =>
    withClient(field.env.DATABASE_URL!, async (client) => {
      for (;;) {
        const { rows } = await client.query('SELECT status, error FROM jobs WHERE id = $1', [id]);
        if (rows[0].status === 'completed') return;
        if (rows[0].status === 'errored' || rows[0].status === 'failed')
          throw new Error(JSON.stringify(rows[0]));
        await delay(100);
      }
    });
  const exportOf = async (application: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${server.port}/applications/${application}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ includeDevices: true, includeFiles: true, forceJob: true }),
    });
    const { jobId, message } = (await response.json()) as { jobId?: string; message?: string };
    if (!jobId) throw new Error(`${response.status}: ${message}`);
    await jobEnds(jobId);
    return jobId;
  };
  try {
    const pid = server.child.pid;
    console.log(`Resident before: ${(await residentOf(pid)).toFixed(0)} MiB.\n`);
    console.log('| devices | MiB of files | seconds | bundle, MiB | most resident, MiB |');
    console.log('| ---: | ---: | ---: | ---: | ---: |');
    for (const [i, { devices, megabytes }] of sizes.entries()) {
      let jobId = '';
      const { seconds, peak } = await measured(pid, async () => {
        jobId = await exportOf(applications[i]!);
      });
      const { size } = await stat(join(dataDir, 'blobs', 'exports', `${jobId}.zip`));
      const figures = [seconds.toFixed(1), (size / MEGABYTE).toFixed(0), peak.toFixed(0)];
      console.log(`| ${[devices, megabytes, ...figures].join(' | ')} |`);
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
