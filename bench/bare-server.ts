import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { newId } from '../src/platform/repositories/resource.js';

// The baseline that the platform is measured against: only `node:http` and `pg`. It checks no token, scope, body or
// permission. It uses named prepared statements and lets PostgreSQL build the JSON, the fastest approach known here. It
// does everything that the response requires: it returns the stored counts, which lag slightly, and the organization's
// name with each of its applications. It also writes and counts an audit log entry in the same statement as each change.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const OF_ORGANIZATION = process.env.OWNED_BY === 'organization';

const ORGANIZATION = `'organizationName', (SELECT o.name FROM orgs o WHERE o.id = t.owner_id),
  'organizationIconColor', (SELECT o.icon_color FROM orgs o WHERE o.id = t.owner_id),`;
const COLUMNS = `json_build_object('id', id, 'creationDate', creation_date, 'lastUpdated', last_updated,
  'applicationId', id, 'ownerId', owner_id, 'ownerType', owner_type, 'name', name, 'description', description,
  ${OF_ORGANIZATION ? ORGANIZATION : ''} 'globals', globals, 'endpointDefaultCors', endpoint_default_cors,
  'blobUrlTTL', blob_url_ttl,
  'summary', (SELECT k.counts FROM kept_counts k WHERE k.holder_id = t.id))`;
const GET = `SELECT ${COLUMNS}::text AS json FROM applications t WHERE id = $1 AND deleted_at IS NULL`;
const README = `SELECT json_build_object('applicationId', id, 'content', readme, 'lastUpdated', readme_updated)::text AS json
  FROM applications WHERE id = $1 AND deleted_at IS NULL`;
const LIST = `SELECT json_build_object('items', (SELECT coalesce(json_agg(item), '[]') FROM (
    SELECT ${COLUMNS} AS item FROM applications t WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY name, id LIMIT 100) page),
  'totalCount', (SELECT (k.counts->>'appCount')::bigint FROM kept_counts k WHERE k.holder_id = $1))::text AS json`;
const INSERT = changing(
  `INSERT INTO applications (id, creation_date, last_updated, owner_id, owner_type, name, description)
  VALUES ($1, $2, $2, $3, '${process.env.OWNED_BY}', $4, $5) RETURNING *`,
  ['applications', 'post', 6],
);
const UPDATE = changing(
  `UPDATE applications SET description = $2, last_updated = $3 WHERE id = $1 AND deleted_at IS NULL RETURNING *`,
  ['application', 'patch', 4],
);

const REPORTS = `CREATE TABLE IF NOT EXISTS bare_reports (device_id text, time timestamptz, data jsonb);
  CREATE INDEX IF NOT EXISTS bare_reports_by_time ON bare_reports (device_id, time)`;
const REPORT = `INSERT INTO bare_reports (device_id, time, data) VALUES ($1, $2, $3) RETURNING '{"success":true}' AS json`;

/**
 * Returns a writing statement that returns JSON and adds an audit log entry for organizations; `next` is its next
 * parameter.
 */
function changing(change: string, [resource, action, next]: [string, string, number]): string {
  const entry = `, entry AS (INSERT INTO audit_logs (id, creation_date, org_id, actor_id, actor_type, actor_name,
      request_resource, request_action, request_body, request_query_params, request_path_params, response_status,
      response_body, primary_target_id, primary_target_type, primary_target_name)
    SELECT $${next}, now(), owner_id, owner_id, 'user', 'bare', '${resource}', '${action}', $${next + 1}::jsonb, '{}',
      json_build_object('applicationId', id), 200, json_build_object('id', id), id, 'Application', name FROM changed RETURNING org_id),
    counted AS (INSERT INTO count_deltas (holder_id, kind, n) SELECT org_id, 'auditLogCount', 1 FROM entry)`;
  return `WITH changed AS (${change}) ${OF_ORGANIZATION ? entry : ''} SELECT ${COLUMNS}::text AS json FROM changed t`;
}

async function answer(request: IncomingMessage): Promise<[status: number, json: string | undefined]> {
  const { pathname, searchParams } = new URL(request.url!, 'http://bare');
  const [, , id, part, deviceId, what] = pathname.split('/');
  const run = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<{ json: string }>({ name, text, values })).rows[0]?.json;
  if (request.method === 'GET') {
    if (part) return [200, await run('readme', README, [id])];
    if (id) return [200, await run('get', GET, [id])];
    return [200, await run('list', LIST, [searchParams.get('ownerId')])];
  }
  const text = await textOf(request);
  if (what) {
    const { data } = JSON.parse(text) as { data: object };
    return [200, await run('report', REPORT, [deviceId, new Date(), JSON.stringify(data)])];
  }
  const { name, description } = JSON.parse(text) as Record<string, string>;
  const entry = OF_ORGANIZATION ? [newId(), text] : [];
  if (request.method === 'PATCH')
    return [200, await run('update', UPDATE, [id, description, new Date(), ...entry])];
  const row = [newId(), new Date(), searchParams.get('ownerId'), name, description];
  return [201, await run('insert', INSERT, [...row, ...entry])];
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

await pool.query(REPORTS);
createServer((request, response) => {
  answer(request).then(
    ([status, json]) => {
      const body = json ?? '{}';
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      };
      response.writeHead(json === undefined ? 404 : status, headers).end(body);
    },
    ({ message }: Error) =>
      response.writeHead(500, { 'content-length': Buffer.byteLength(message) }).end(message),
  );
}).listen(Number(process.env.PORT), '127.0.0.1');
