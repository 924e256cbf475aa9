import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { serveAsks } from './askers.js';

// The baseline for runs of workflows: only `node:http` and `pg`. `POST /batch` stores a payload as durably as the platform
// does: inserts of concurrent requests are joined and acknowledged after the commit, then deleted from the inbox and
// inserted into the history, joined as well. `POST /insert` responds after a single insert, as a plain handler would.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const TABLES = `CREATE TABLE IF NOT EXISTS bare_inbox (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload json, requested_at timestamptz);
  CREATE TABLE IF NOT EXISTS bare_history (seq bigint PRIMARY KEY, payload json, requested_at timestamptz, finished_at timestamptz)`;
const PUT = `INSERT INTO bare_inbox (payload, requested_at) SELECT p::json, now() FROM unnest($1::text[]) p RETURNING seq`;
const FINISH = `WITH taken AS (DELETE FROM bare_inbox WHERE seq = ANY ($1::bigint[]) RETURNING *)
  INSERT INTO bare_history SELECT seq, payload, requested_at, now() FROM taken`;
const INSERT = `INSERT INTO bare_inbox (payload, requested_at) VALUES ($1::json, now())`;

/** Joins concurrent calls: what arrives while a statement is executed is sent with the next one. */
class Joined<T, R> {
  private waiting: { item: T; resolve: (result: R | undefined) => void }[] = [];
  private isBusy = false;

  constructor(private readonly send: (items: T[]) => Promise<R[]>) {}

  add(item: T): Promise<R | undefined> {
    return new Promise((resolve) => {
      this.waiting.push({ item, resolve });
      if (!this.isBusy) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.isBusy = true;
    while (this.waiting.length > 0) {
      const some = this.waiting;
      this.waiting = [];
      const results = await this.send(some.map(({ item }) => item));
      some.forEach(({ resolve }, i) => resolve(results[i]));
    }
    this.isBusy = false;
  }
}

const run = async (name: string, text: string, values: unknown[]): Promise<{ seq: string }[]> =>
  (await pool.query<{ seq: string }>({ name, text, values })).rows;
const inserts = new Joined<string, string>(async (payloads) =>
  (await run('put', PUT, [payloads])).map(({ seq }) => seq),
);
const ends = new Joined<string, void>(async (seqs) =>
  (await run('finish', FINISH, [seqs])).map(() => undefined),
);

async function answer(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (request.method === 'GET') return;
  const body = JSON.parse(text) as unknown;
  return request.url === '/insert' ? void (await run('insert', INSERT, [payloadOf(body)])) : durable(body);
}

/** Resolves when the run is stored; it ends afterwards. */
async function durable(body: unknown): Promise<void> {
  void ends.add((await inserts.add(payloadOf(body)))!);
}

const payloadOf = (body: unknown): string => JSON.stringify({ type: 'webhook', data: { body } });

await pool.query(TABLES);
createServer((request, response) => {
  answer(request).then(
    () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}'),
    () => response.writeHead(500, { 'content-length': 0 }).end(),
  );
}).listen(Number(process.env.PORT), '127.0.0.1');
serveAsks(() => durable({ temp: 23.5, name: 'P-17', tags: ['a', 'b'] }));
