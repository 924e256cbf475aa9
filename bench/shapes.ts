import type pg from 'pg';

/** Number of the rows that are listed, and their distribution among owners. */
export interface Shape {
  name: string;
  /** Description for the report. */
  about: string;
  /**
   * Number of owners with 100 applications each; the first application has 200 workflows, 100 webhooks and 100 devices.
   */
  ordinary: number;
  /** Number of applications of one additional owner; the first has as many workflows, webhooks and devices. */
  large?: number;
  /** Tenants that requests are about; `both` alternates between them. */
  asked: 'ordinary' | 'large' | 'both';
  /** Whether the tables are analyzed, so that the planner has statistics. */
  analyzed: boolean;
}

const grown = (size: number): Shape => ({
  name: size.toLocaleString('en'),
  about: `one owner has ${size.toLocaleString('en')} applications, the first with as many workflows, webhooks and devices; all requests are about this owner`,
  ordinary: 20,
  large: size,
  asked: 'large',
  analyzed: true,
});

export const EVEN: Shape = {
  name: 'even',
  about: '100 owners have 100 applications each, the first with 200 workflows, 100 webhooks and 100 devices',
  ordinary: 100,
  asked: 'ordinary',
  analyzed: true,
};
/** From the smallest to the largest number of rows of a tenant. */
export const SIZES: readonly Shape[] = [1_000, 10_000, 100_000].map(grown);
export const SHAPES: readonly Shape[] = [
  EVEN,
  {
    name: '99 %',
    about:
      'one owner has 99 % of all applications, workflows, webhooks and devices; every other request is about another owner',
    ordinary: 5,
    large: 99_000,
    asked: 'both',
    analyzed: true,
  },
  {
    ...EVEN,
    name: 'no statistics',
    about: 'the data is distributed as in even, but freshly loaded and never analyzed',
    analyzed: false,
  },
  ...SIZES,
];

export const OWNED_BY = ['user', 'organization'] as const;
export type OwnedBy = (typeof OWNED_BY)[number];

/** Number of rows of one tenant. */
interface Sizes {
  applications: number;
  flows: number;
  webhooks: number;
  devices: number;
}

const ORDINARY: Sizes = { applications: 100, flows: 200, webhooks: 100, devices: 100 };
const sizesOf = (size: number): Sizes => ({ applications: size, flows: size, webhooks: size, devices: size });

/** A caller and its resources. */
export interface Tenant {
  userId: string;
  email: string;
  /** ID of the user, or of an organization that the user administers. */
  ownerId: string;
  applications: readonly string[];
  /** Number of workflows of the first application. */
  flows: number;
  webhookTokens: readonly string[];
  devices: readonly string[];
}

const KINDS = { user: '01', org: '02', application: '03', flow: '04', webhook: '05', device: '06' } as const;

/** Returns IDs that ascend in the order of row creation, which is independent of the owner. */
const idOf = (kind: keyof typeof KINDS, tenant: number, i = 0): string =>
  KINDS[kind] + i.toString(16).padStart(12, '0') + tenant.toString(16).padStart(10, '0');
/** The same in SQL; `t` is the tenant and `i` the row. */
const sqlId = (kind: keyof typeof KINDS, i = 'i'): string =>
  `'${KINDS[kind]}' || lpad(to_hex(${i}), 12, '0') || lpad(to_hex(t.n), 10, '0')`;
const DATES = `now() - interval '1 day' + i * interval '1 millisecond', now() - interval '1 day' + i * interval '1 millisecond'`;

/** Generates rows of all tenants alternately, as concurrent use creates them. */
const rowsOf = (count: string): string =>
  `FROM tenants t, generate_series(0, t.${count} - 1) i ORDER BY i, t.n`;

const USERS = `INSERT INTO users (id, creation_date, last_updated, email, email_verified, sso_linked, password_hash, instance_id)
  SELECT ${sqlId('user', '0')}, now(), now(), 'owner' || t.n || '@example.com', true, false, $1, (SELECT id FROM instances)
  FROM tenants t`;
const ORGS = [
  `INSERT INTO orgs (id, creation_date, last_updated, instance_id, is_read_only, name, icon_color)
    SELECT ${sqlId('org', '0')}, now(), now(), (SELECT id FROM instances), false, 'Organization ' || t.n, '#4CAF50' FROM tenants t`,
  `INSERT INTO org_members (org_id, user_id, role, creation_date)
    SELECT ${sqlId('org', '0')}, ${sqlId('user', '0')}, 'admin', now() FROM tenants t`,
];
const applications = (ownedBy: OwnedBy): string => `INSERT INTO applications
    (id, creation_date, last_updated, owner_id, owner_type, name, description, globals, blob_url_ttl, endpoint_default_cors)
  SELECT ${sqlId('application')}, ${DATES}, ${sqlId(ownedBy === 'user' ? 'user' : 'org', '0')}, '${ownedBy}',
    'Application ' || left(md5(${sqlId('application')}), 8), repeat('An application of the benchmark. ', 8),
    '[{"key":"region","json":"\\"eu\\"","cloudOnly":false}]', 86400, true
  ${rowsOf('applications')}`;
const WEBHOOKS = `INSERT INTO webhooks (id, creation_date, last_updated, application_id, name, token, enabled,
    is_websocket, wait_for_reply, response_code, verification_type, annotate_multipart)
  SELECT ${sqlId('webhook')}, ${DATES}, ${sqlId('application', '0')}, 'Webhook ' || left(md5(${sqlId('webhook')}), 8),
    'token-' || ${sqlId('webhook')}, true, false, false, 200, 'none', false
  ${rowsOf('webhooks')}`;
/** Each webhook has a workflow that it triggers; other workflows have a timer. */
const FLOWS = `INSERT INTO flows (id, creation_date, last_updated, application_id, name, flow_class, enabled, triggers,
    named_ids, nodes, globals)
  SELECT ${sqlId('flow')}, ${DATES}, ${sqlId('application', '0')}, 'Workflow ' || left(md5(${sqlId('flow')}), 8), 'cloud', true,
    jsonb_build_array(jsonb_build_object('type', type, 'key', key, 'config', '{}'::jsonb, 'outputIds', '[["log"]]'::jsonb)),
    CASE WHEN type = 'webhook' THEN ARRAY[key] ELSE '{}' END,
    '[{"id":"log","type":"DebugNode","config":{"message":"Still there"},"outputIds":[[]]}]', '[]'
  FROM tenants t, generate_series(0, t.flows - 1) i, LATERAL (SELECT
    CASE WHEN i < t.webhooks THEN 'webhook' ELSE 'timer' END AS type,
    CASE WHEN i < t.webhooks THEN ${sqlId('webhook')} ELSE 'every-minute' END AS key) trigger
  ORDER BY i, t.n`;

const DEVICES = `INSERT INTO devices (id, creation_date, last_updated, application_id, name, tags, attributes, device_class,
    keep_duplicates, attribute_numbers, next_attribute_number)
  SELECT ${sqlId('device')}, ${DATES}, ${sqlId('application', '0')}, 'Device ' || left(md5(${sqlId('device')}), 8),
    jsonb_build_array(jsonb_build_object('key', 'site', 'value', 'site-' || i % 20)),
    '[{"name":"temperature","dataType":"number"},{"name":"pressure","dataType":"number"},{"name":"open","dataType":"boolean"}]',
    'standalone', true, '{"temperature":1,"pressure":2,"open":3}', 4
  ${rowsOf('devices')}`;

/**
 * Fills an empty database in few statements, through the tables, so that row counters see these rows. Returns the
 * tenants that requests are about, in turn. The planner gets its statistics when the counts are updated as well.
 */
export async function seed(
  client: pg.Client,
  shape: Shape,
  ownedBy: OwnedBy,
  passwordHash: string,
): Promise<Tenant[]> {
  const sizes = [
    ...Array.from({ length: shape.ordinary }, () => ORDINARY),
    ...(shape.large ? [sizesOf(shape.large)] : []),
  ].map((size, n) => ({ n, ...size }));
  if (!shape.analyzed) await neverAnalyze(client);
  await client.query(
    `CREATE TEMP TABLE tenants AS
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS t(n int, applications int, flows int, webhooks int, devices int)`,
    [JSON.stringify(sizes)],
  );
  await client.query(USERS, [passwordHash]);
  for (const text of ownedBy === 'organization' ? ORGS : []) await client.query(text);
  for (const text of [applications(ownedBy), WEBHOOKS, FLOWS, DEVICES]) await client.query(text);
  const tenants = sizes.map((size) => tenantOf(size, ownedBy));
  const [ordinary, large] = [tenants.slice(0, shape.ordinary), tenants.slice(shape.ordinary)];
  if (shape.asked === 'both') return ordinary.flatMap((tenant) => [tenant, ...large]);
  return shape.asked === 'large' ? large : ordinary;
}

/** Rows are in tables and in partitions; a partitioned table holds no rows itself. */
async function neverAnalyze(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
}

function tenantOf(size: Sizes & { n: number }, ownedBy: OwnedBy): Tenant {
  const ids = (kind: keyof typeof KINDS, length: number) =>
    Array.from({ length }, (_, i) => idOf(kind, size.n, i));
  return {
    userId: idOf('user', size.n),
    email: `owner${size.n}@example.com`,
    ownerId: idOf(ownedBy === 'user' ? 'user' : 'org', size.n),
    applications: ids('application', size.applications),
    flows: size.flows,
    webhookTokens: ids('webhook', size.webhooks).map((id) => `token-${id}`),
    devices: ids('device', size.devices),
  };
}
