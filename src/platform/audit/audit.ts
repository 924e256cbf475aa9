import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import type { Statement } from '../database/database.js';
import { shaped } from '../database/statements.js';
import { newId } from '../repositories/resource.js';
import type { Author } from './author.js';

/** Kind of the stored count of entries, which the statements here record. */
export const AUDIT_LOG_COUNT = 'auditLogCount';

/** A resource that an entry names as changed; `type` is one of the target types of the log's resource. */
export interface Target {
  type: string;
  id: string;
  name?: string | null;
}

/** The logs to which an entry belongs, and the resources that it names. */
export interface Entry {
  /** Targets in the log of the organization and in that of the instance. An entry may be written to both. */
  organization?: { id: string; primary?: Target; secondary?: Target };
  instance?: { id: string; primary?: Target; secondary?: Target };
  /** Part of the request body to log if not all of it concerns the target; the whole body if absent. */
  body?: object;
  /** Part of the response to log. */
  response?: { id: string };
  /** Status of the response, if it is not the first that the operation declares. */
  status?: number;
}

/** How rows of a resource appear in a log, as SQL over the changed row `t`. */
export interface AuditTarget {
  log: 'organization' | 'instance';
  /** SQL after `FROM changed t`: joins that provide the organization as `o`, or the instance as `i`. */
  join: string;
  primary?: { type: string; id: string; name: string };
  secondary?: { type: string; id: string; name: string };
}

/**
 * Returns the audit facts of a resource of an application, for the log of the organization that owns the application.
 */
export const inApplication = (
  type: string,
  name = 't.name',
  application = 't.application_id',
): AuditTarget => ({
  log: 'organization',
  join: `JOIN applications a ON a.id = ${application} AND a.owner_type = 'organization' JOIN orgs o ON o.id = a.owner_id`,
  primary: { type: 'Application', id: 'a.id', name: 'a.name' },
  secondary: { type, id: 't.id', name },
});

/** Returns the audit facts of a resource of an instance. */
export const inInstance = (type: string, name = 't.name', instance = 't.instance_id'): AuditTarget => ({
  log: 'instance',
  join: `JOIN instances i ON i.id = ${instance}`,
  primary: { type, id: 't.id', name },
});

/** Columns that describe the request, with their types. */
const FACTS = Object.entries({
  actor_id: 'text',
  actor_type: 'text',
  actor_name: 'text',
  request_resource: 'text',
  request_action: 'text',
  request_body: 'jsonb',
  request_query_params: 'jsonb',
  request_path_params: 'jsonb',
  response_status: 'integer',
});
const LOGS = {
  organization: {
    table: 'audit_logs',
    owner: 'org_id',
    row: 'o',
    allowed:
      'o.audit_log_enabled AND (SELECT n.allow_audit_logging FROM instances n WHERE n.id = o.instance_id)',
  },
  instance: {
    table: 'instance_audit_logs',
    owner: 'instance_id',
    row: 'i',
    allowed: 'i.allow_audit_logging',
  },
} as const;

/**
 * Returns a statement that changes a row and writes its log entry atomically. `change` is the changing statement up to
 * its `RETURNING`, on `t`; `columns` are the columns of the row to return. No entry is written if the organization or
 * instance keeps no log.
 */
export function withEntry(change: Statement, columns: string, audited: AuditTarget, by: Author): Statement {
  return withEntriesOf(change, columns, audited, by, 'one');
}

/** Like `withEntry`, for a statement that changes several rows, each of which gets its own entry. */
export function withEntries(change: Statement, columns: string, audited: AuditTarget, by: Author): Statement {
  return withEntriesOf(change, columns, audited, by, 'many');
}

/** Returns SQL of the ID of an entry, from a new ID: each of several rows gets its own. */
const ENTRY_IDS = {
  one: (id: string) => id,
  many: (id: string) => `left(${id}, 8) || left(md5(${id} || t.id), 16)`,
};

/** Numbers of lists of columns kept for each target, and of texts for each of these. A text has some kilobytes. */
const MAX_LISTS = 20;
const MAX_TEXTS = 50;
/**
 * Texts of statements, by columns and change. Composing a text costs more than the rest of an entry, and connections find
 * the prepared statement of a text that they know as the same object without reading it. So is the list of columns, which
 * is as long.
 */
const texts = new WeakMap<AuditTarget, LRUCache<string, LRUCache<string, string>>>();

function withEntriesOf(
  change: Statement,
  columns: string,
  audited: AuditTarget,
  by: Author,
  rows: keyof typeof ENTRY_IDS,
): Statement {
  let byColumns = texts.get(audited);
  if (!byColumns) texts.set(audited, (byColumns = new LRUCache({ max: MAX_LISTS })));
  let known = byColumns.get(columns);
  if (!known) byColumns.set(columns, (known = new LRUCache({ max: MAX_TEXTS })));
  const key = `${rows} ${change.text}`;
  let text = known.get(key);
  if (text === undefined) known.set(key, (text = composed(change, columns, audited, rows)));
  return shaped(text, [...change.values, newId(), ...valuesOf(by.facts())]);
}

function composed(
  change: Statement,
  columns: string,
  audited: AuditTarget,
  rows: keyof typeof ENTRY_IDS,
): string {
  const { table, owner, row, allowed } = LOGS[audited.log];
  const { primary, secondary } = audited;
  const id = ENTRY_IDS[rows](`$${change.values.length + 1}::text`);
  const targets = Object.entries({ primary, secondary }).flatMap(([rank, target]) =>
    target
      ? [
          { column: `${rank}_target_id`, sql: target.id },
          { column: `${rank}_target_type`, sql: `'${target.type}'` },
          { column: `${rank}_target_name`, sql: `left(${target.name}, 1024)` },
        ]
      : [],
  );
  const entry = [
    { column: 'id', sql: id },
    { column: 'creation_date', sql: 'now()' },
    { column: owner, sql: `${row}.id` },
    ...targets,
    { column: 'response_body', sql: `json_build_object('id', t.id)` },
    ...factsFrom(change.values.length + 2),
  ];
  return `WITH changed AS (${change.text} RETURNING t.*), entry AS (
    INSERT INTO ${table} (${entry.map(({ column }) => column).join(', ')})
    SELECT ${entry.map(({ sql }) => sql).join(', ')} FROM changed t ${audited.join} WHERE ${allowed}
    RETURNING ${owner}), counted AS (${entryCountSql(owner)})
    SELECT ${columns} FROM changed t`;
}

/** Returns the columns of `FACTS` with their parameters, the first of which is `next`. */
const factsFrom = (next: number): { column: string; sql: string }[] =>
  FACTS.map(([column, type], i) => ({ column, sql: `$${next + i}::${type}` }));

/** Returns the values of `FACTS`. */
const valuesOf = (facts: Readonly<Record<string, unknown>>): unknown[] =>
  FACTS.map(([name, type]) => {
    const value = facts[name] ?? null;
    return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
  });

/** Returns the statement that counts the inserted rows of `entry`. A trigger would cost three times as much. */
const entryCountSql = (owner: string): string =>
  `INSERT INTO count_deltas (holder_id, kind, n) SELECT ${owner}, '${AUDIT_LOG_COUNT}', count(*) FROM entry GROUP BY ${owner}`;

/** Writes an entry as part of a transaction, unless the organization or instance keeps no log. */
export async function writeEntry(manager: EntityManager, by: Author, entry: Entry): Promise<void> {
  const answered = entry.status === undefined ? {} : { response_status: entry.status };
  const facts = valuesOf({ ...by.facts(entry.body), ...answered });
  const response = entry.response ? JSON.stringify(entry.response) : null;
  for (const log of ['organization', 'instance'] as const) {
    const subject = entry[log];
    if (!subject) continue;
    const { table, owner, row, allowed } = LOGS[log];
    const { primary, secondary } = subject;
    const described = factsFrom(10);
    await manager.query(
      `WITH entry AS (INSERT INTO ${table} (id, creation_date, ${owner}, primary_target_id, primary_target_type, primary_target_name,
         secondary_target_id, secondary_target_type, secondary_target_name, response_body, ${described.map(({ column }) => column).join(', ')})
       SELECT $1, now(), ${row}.id, $3, $4, left($5, 1024), $6, $7, left($8, 1024), $9::jsonb, ${described.map(({ sql }) => sql).join(', ')}
       FROM ${log === 'organization' ? 'orgs' : 'instances'} ${row} WHERE ${row}.id = $2 AND ${allowed}
       RETURNING ${owner}) ${entryCountSql(owner)}`,
      [newId(), subject.id, ...columnsOf(primary), ...columnsOf(secondary), response, ...facts],
    );
  }
}

const columnsOf = (target: Target | undefined) => [
  target?.id ?? null,
  target?.type ?? null,
  target?.name ?? null,
];
