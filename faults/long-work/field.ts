import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/platform/repositories/resource.js';
import type { Answer, Client } from '../client.js';
import type { Stage } from '../stage.js';
import type { ArchiveStore } from './archive-store.js';
import type { Repository } from './repository.js';

const PAUSE_MS = 200;
/** Longer than any outage. */
const TIMEOUT_MS = 60_000;

/** An error that would occur again on a retry. */
class Refused extends Error {}

/** Returns a unique word. */
export const unique = (): string => randomBytes(8).toString('hex');
export const hashOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** Export options that include everything a bundle can contain. */
export const EVERYTHING = {
  includeDevices: true,
  includeFiles: true,
  includePrivateFiles: true,
  includeDataTableRows: true,
};

/** Creates 100 devices per system, with a tag; each device names its system in a text. */
const DEVICES = `INSERT INTO devices (id, creation_date, last_updated, application_id, name, description, device_class,
    parent_id, tags, attributes, keep_duplicates)
  SELECT $1 || lpad(to_hex(i), 8, '0'), now(), now(), $2, 'Pump ' || i, 'Of ' || s.id,
    CASE WHEN i % 100 = 0 THEN 'system' ELSE 'standalone' END, CASE WHEN i % 100 = 0 THEN NULL ELSE s.id END,
    jsonb_build_array(jsonb_build_object('key', 'of', 'value', s.id)), '[]', false
  FROM generate_series(0, $3::int - 1) i, LATERAL (SELECT $1 || lpad(to_hex(i - i % 100), 8, '0') AS id) s
  ON CONFLICT DO NOTHING`;
const FILE = `INSERT INTO files (id, creation_date, last_updated, application_id, parent_id, name, type, status, file_size, content_key)
  VALUES ($1, now(), now(), $2, '', $3, 'file', 'completed', $4, $5) ON CONFLICT DO NOTHING`;

/** Creates the resources that work needs, and retries while the platform fails. */
export class Field {
  constructor(
    private readonly stage: Stage,
    readonly client: Client,
    readonly store: ArchiveStore,
    readonly repository: Repository,
  ) {}

  get dataDir(): string {
    return this.stage.dataDir;
  }

  /** Returns the rows of a statement as texts; retries until PostgreSQL responds. */
  rows(sql: string, values: readonly unknown[] = []): Promise<string[][]> {
    return patiently(() => this.stage.rows(sql, values));
  }

  /** Repeats a request until it succeeds and returns the response body. The request may take effect several times. */
  must(method: string, path: string, body?: object, client = this.client): Promise<Answer['body']> {
    return patiently(async () => {
      const { outcome, status, body: answered } = await client.send(method, path, body);
      if (outcome === 'done') return answered;
      const sentence = `${method} ${path}: ${status} ${JSON.stringify(answered)}`;
      throw outcome === 'refused' && status !== 0 ? new Refused(sentence) : new Error(sentence);
    });
  }

  /** Creates a user with an email address and returns a token. */
  async user(email: string): Promise<string> {
    await this.rows(
      `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object('id', $1::text, 'email', $2::text))).*
       FROM users u WHERE u.id = (SELECT min(id) FROM users) ON CONFLICT DO NOTHING`,
      [newId(), email],
    );
    return patiently(() => this.stage.signIn(email));
  }

  async organization(client = this.client): Promise<string> {
    return (await this.must('POST', '/orgs', { name: unique() }, client)).id as string;
  }

  async application(orgId: string, more: object = {}, client = this.client): Promise<string> {
    return (await this.must('POST', '/applications', { name: 'Pumps', orgId, ...more }, client)).id as string;
  }

  async addDevices(applicationId: string, count: number): Promise<void> {
    await this.rows(DEVICES, [unique(), applicationId, count]);
  }

  async addFile(applicationId: string, name: string, bytes: number): Promise<void> {
    const id = newId();
    const key = `files/${applicationId}/${id}`;
    await mkdir(join(this.dataDir, 'blobs', 'files', applicationId), { recursive: true });
    await writeFile(join(this.dataDir, 'blobs', key), randomBytes(bytes));
    await this.rows(FILE, [id, applicationId, name, bytes, key]);
  }

  /** Creates a data table with rows. */
  async addTable(applicationId: string, rows: number, client = this.client): Promise<string> {
    const columns = [
      { name: 'n', dataType: 'number', constraint: 'optional' },
      { name: 'site', dataType: 'string', constraint: 'optional' },
    ];
    const path = `/applications/${applicationId}/data-tables`;
    const { id } = await this.must('POST', path, { name: unique(), columns }, client);
    const values = Array.from({ length: rows }, (_, n) => ({ n, site: `site ${n % 7}` }));
    for (let at = 0; at < rows; at += 100)
      await this.must('POST', `${path}/${id}/rows`, values.slice(at, at + 100), client);
    return id as string;
  }

  /** Returns the bundle of a small application. The same application always yields the same bundle. */
  async bundleOf(applicationId: string): Promise<Buffer> {
    const path = `/applications/${applicationId}/export`;
    const { url, jobId } = await this.must('POST', path, EVERYTHING);
    if (url === undefined) return this.exported(jobId as string);
    const response = await fetch(url as string);
    if (!response.ok) throw new Error(`Exporting the bundle of ${applicationId} returned ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Returns the bundle exported by a job, for exports that exceed the time limit of a request. */
  private exported(jobId: string): Promise<Buffer> {
    return patiently(async () => {
      const [[status] = []] = await this.stage.rows('SELECT status FROM jobs WHERE id = $1', [jobId]);
      if (status !== 'completed') throw new Error(`The export ${jobId} is ${status}`);
      return readFile(join(this.dataDir, 'blobs', 'exports', `${jobId}.zip`));
    });
  }

  async hashOf(applicationId: string): Promise<string> {
    return hashOf(await this.bundleOf(applicationId));
  }

  /** Returns a blob, or `undefined` if it does not exist. */
  blob(key: string): Promise<Buffer | undefined> {
    return readFile(join(this.dataDir, 'blobs', key)).catch(() => undefined);
  }
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end || error instanceof Refused) throw error;
    }
  }
}
