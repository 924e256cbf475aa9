import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { newId } from '../src/platform/resource.js';

// What the platform is measured against: node:http and pg and nothing else. It checks no token, no scope, no body and
// no right; named prepared statements, and JSON that PostgreSQL builds, which is the fastest way known here.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const COLUMNS = `json_build_object('id', id, 'creationDate', creation_date, 'lastUpdated', last_updated,
  'applicationId', id, 'ownerId', owner_id, 'ownerType', owner_type, 'name', name, 'description', description,
  'globals', globals, 'endpointDefaultCors', endpoint_default_cors, 'blobUrlTTL', blob_url_ttl,
  'summary', '{"deviceCount":0,"deviceRecipeCount":0,"eventCount":0,"flowCount":0,"keyCount":0,"webhookCount":0}'::json)`;
const GET = `SELECT ${COLUMNS}::text AS json FROM applications WHERE id = $1 AND deleted_at IS NULL`;
const LIST = `SELECT json_build_object('items', (SELECT coalesce(json_agg(item), '[]') FROM (
    SELECT ${COLUMNS} AS item FROM applications WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY name, id LIMIT 100) page),
  'totalCount', (SELECT count(*) FROM applications WHERE owner_id = $1 AND deleted_at IS NULL))::text AS json`;
const INSERT = `INSERT INTO applications (id, creation_date, last_updated, owner_id, owner_type, name, description)
  VALUES ($1, $2, $2, $3, 'user', $4, $5) RETURNING ${COLUMNS}::text AS json`;
const UPDATE = `UPDATE applications SET description = $2, last_updated = $3 WHERE id = $1 AND deleted_at IS NULL
  RETURNING ${COLUMNS}::text AS json`;

async function answer(request: IncomingMessage): Promise<[status: number, json: string]> {
  const { pathname, searchParams } = new URL(request.url!, 'http://bare');
  const id = pathname.slice('/applications/'.length);
  const run = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<{ json: string }>({ name, text, values })).rows[0]?.json;
  const body = async () => JSON.parse(await textOf(request)) as Record<string, string>;
  let json: string | undefined;
  if (request.method === 'POST') {
    const { name, description } = await body();
    json = await run('insert', INSERT, [newId(), new Date(), searchParams.get('ownerId'), name, description]);
    return [201, json!];
  }
  if (request.method === 'PATCH')
    json = await run('update', UPDATE, [id, (await body()).description, new Date()]);
  else if (id) json = await run('get', GET, [id]);
  else json = await run('list', LIST, [searchParams.get('ownerId')]);
  return json === undefined ? [404, '{}'] : [200, json];
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

createServer((request, response) => {
  answer(request).then(
    ([status, json]) =>
      response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(json),
        })
        .end(json),
    (error: Error) => response.writeHead(500).end(error.message),
  );
}).listen(Number(process.env.PORT), '127.0.0.1');
