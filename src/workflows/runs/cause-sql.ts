import { columnName } from '../../platform/database/naming.js';
import { countPayloadsSql, insertPayloadsSql } from '../../platform/payloads/payload-deltas.js';
import {
  columnsOf,
  droppedColumnsOf,
  joinedColumnsOf,
  type CauseDeclaration,
  type Columns,
} from './cause-declaration.js';
import { programStampSql } from './program-parts.columns.js';
import { runMinuteSql } from './run-minute.columns.js';

/** SQL of the time of the request. */
export const REQUESTED_AT = '$1::timestamptz';
/** Digits of the time and of the counter, at the start and the end of an ID, and of the others. */
export const [TIME_DIGITS, COUNTER_DIGITS, OTHER_DIGITS] = [8, 6, 10];
/** Time and counter of `$2`, so that IDs sort by creation. */
const ID_START = `left($2, ${TIME_DIGITS}) || right($2, ${COUNTER_DIGITS})`;
const NEW_ID = `${ID_START} || substr(replace(gen_random_uuid()::text, '-', ''), 23)`;
/** Ends with the number of the run: a batch appends to indexes, and PostgreSQL makes no UUID. */
const RUN_ID = `${ID_START} || right(repeat('0', ${OTHER_DIGITS}) || to_hex(q.seq), ${OTHER_DIGITS})`;
const FIRST_PARAMETER = 3;
const FIRST_DROPPED_PARAMETER = 2;
/**
 * Larger triggers are stored apart, once for all runs that they start. PostgreSQL would move them out of the rows of
 * runs anyway.
 */
export const MAX_INLINE_BYTES = 1_600;
const IS_INLINE = `octet_length(p.trigger) <= ${MAX_INLINE_BYTES}`;

/** The sequence of the column `seq`. Queries of runs read it, because `RETURNING` has the columns of the table only. */
const NEXT_SEQ = `nextval('run_inbox_seq_seq')`;

/** Returns SQL that stores the runs that a query returns. `requested` has them with their IDs. */
function requestedSql(runs: string): string {
  return `requested AS MATERIALIZED (SELECT q.*, ${RUN_ID} AS id FROM (${runs}) q),
  inserted AS (
    INSERT INTO run_inbox (lane, seq, id, application_id, flow_id, flow_version_id, device_id, trigger, payload_id, requested_at)
    OVERRIDING SYSTEM VALUE
    SELECT q.lane, q.seq, q.id, q.application_id, q.flow_id, q.flow_version_id, q.device_id, q.trigger::json, q.payload_id,
      ${REQUESTED_AT} FROM requested q)`;
}

const RESULT =
  'q.firing, q.lane, q.seq, q.id, q.application_id, q.flow_id, q.flow_version_id, q.device_id, q.payload_id';

/**
 * Returns SQL that finds the workflows, stores the payloads, counts them and stores the runs, in one statement for any
 * number of firings.
 */
export function fireSql(declaration: CauseDeclaration, isSingle: boolean): string {
  const { triggerCount, accepts, hasBatches, payloadKey } = declaration;
  const key = payloadKey === undefined ? 'l.key' : `r.${columnName(payloadKey)}`;
  const { triggers, items } = columnsOf(declaration);
  const count = isSingle && triggerCount !== 'any' ? triggerCount : undefined;
  const firstOfItems = FIRST_PARAMETER + Object.keys(triggers).length * (count ?? 1);
  const materialized = isSingle ? 'NOT MATERIALIZED' : 'MATERIALIZED';
  const batch = `(SELECT '{"sourceId":' || to_json(min(r.device_id)) || ',"data":[' || string_agg(r.given, ',' ORDER BY r.n) || ']}'
      FROM received r WHERE r.firing = p.firing)`;
  return `WITH listening AS ${materialized} (${listeningSql(declaration, rowsSql('a', triggers, FIRST_PARAMETER, count))}),
  received AS ${materialized} (SELECT * FROM ${rowsSql('r', items, firstOfItems, isSingle ? 1 : undefined)}),
  runs AS MATERIALIZED (
    SELECT${declaration.isOncePerWorkflow ? ' DISTINCT' : ''} l.firing, l.application_id, l.type, ${key} AS key, l.flow_id,
      l.flow_version_id, r.lane, r.device_id, ${numberSql(declaration)} AS n
    FROM listening l JOIN received r ON r.firing = l.firing${accepts ? ` ${accepts}` : ''}),
  payloads AS MATERIALIZED (
    SELECT p.firing, p.type, p.key, p.n, p.application_id, ${NEW_ID} AS id,
      ${triggerSql('p.type', 'p.key', hasBatches ? `CASE WHEN p.n > 0 THEN r.given ELSE ${batch} END` : 'r.given')} AS trigger
    FROM (SELECT DISTINCT firing, application_id, type, key, n FROM runs) p LEFT JOIN received r ON r.n = p.n),
  stored AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT p.id, p.application_id, p.trigger::json FROM payloads p WHERE NOT ${IS_INLINE})${countedSql(declaration)},
  ${requestedSql(`
    SELECT r.firing, r.lane, ${NEXT_SEQ} AS seq, r.application_id, r.flow_id, r.flow_version_id, r.device_id,
      CASE WHEN ${IS_INLINE} THEN p.trigger END AS trigger, CASE WHEN NOT ${IS_INLINE} THEN p.id END AS payload_id
    FROM runs r JOIN payloads p USING (firing, type, key, n)`)}
  SELECT ${RESULT} FROM requested q`;
}

/**
 * Returns SQL that does the same for any number of firings with one small item each and a fixed number of triggers. It
 * has a row for each firing, with the whole text of the payload, and so joins none. It also returns the stamp of the
 * program.
 */
export function joinedSql(declaration: CauseDeclaration, triggerCount: number): string {
  const { counts, workflows, isOncePerWorkflow, isOfExperiences } = declaration;
  const columns = joinedColumnsOf(declaration, triggerCount);
  const named = Object.keys(columnsOf(declaration).triggers).filter((name) => name !== 'firing');
  const valuesOf = (n: number) =>
    named.map((name) => (name === 'applicationId' ? 'r.application_id' : `r.${columnName(name)}_${n}`));
  const triggers = Array.from({ length: triggerCount }, (_, n) => `(${valuesOf(n).join(', ')})`);
  const distinct = isOncePerWorkflow ? 'DISTINCT ON (r.n, g.flow_id, g.flow_version_id) ' : '';
  const stamp = programStampSql(
    'f.change',
    'f.version_change',
    'r.application_change',
    isOfExperiences ? 'e.change' : 'NULL',
  );
  return `WITH received AS MATERIALIZED (
    SELECT r.*, b.owner_id, b.change AS application_change FROM ${rowsSql('r', columns, FIRST_PARAMETER)}
    JOIN LATERAL (SELECT b.owner_id, b.xmin AS change FROM applications b
      WHERE b.id = r.application_id AND b.deleted_at IS NULL OFFSET 0) b ON true)${
        counts
          ? `,
  counted AS (${insertPayloadsSql(`SELECT r.application_id, r.owner_id, NULL::text, '${counts}', r.channel, count(*),
    sum(r.bytes) FROM received r GROUP BY r.application_id, r.owner_id, r.channel`)})`
          : ''
      },
  ${requestedSql(`
    SELECT ${distinct}r.n - 1 AS firing, r.lane, ${NEXT_SEQ} AS seq, r.application_id, g.flow_id, g.flow_version_id,
      NULL::text AS device_id, NULL::text AS payload_id, r.given AS trigger, ${stamp} AS stamp
    FROM received r CROSS JOIN LATERAL (VALUES ${triggers.join(', ')}) a (${named.map(columnName).join(', ')})
    ${workflows}${
      isOfExperiences
        ? `
    LEFT JOIN LATERAL (SELECT e.xmin AS change FROM experience_versions e
      WHERE a.flow_class = 'experience' AND e.application_id = r.application_id AND e.version = f.version OFFSET 0) e ON true`
        : ''
    }`)}
  SELECT ${RESULT}, q.stamp FROM requested q`;
}

/**
 * Returns SQL that adds the runs that a cause would start to the dropped ones of their workflows, and counts the
 * payloads as received unless the sender was refused.
 */
export function droppedSql(declaration: CauseDeclaration): string {
  const { accepts, delivery, hasBatches, isOncePerWorkflow } = declaration;
  const { triggers, items } = droppedColumnsOf(declaration);
  const asked = rowsSql('a', triggers, FIRST_DROPPED_PARAMETER);
  const received = rowsSql('r', items, FIRST_DROPPED_PARAMETER + Object.keys(triggers).length);
  const number = numberSql(declaration);
  const times = hasBatches ? `CASE ${number} WHEN 0 THEN r.firings ELSE r.times END` : 'r.times';
  return `WITH listening AS MATERIALIZED (${listeningSql(declaration, asked)}),
  received AS MATERIALIZED (SELECT * FROM ${received}),
  runs AS MATERIALIZED (
    SELECT${isOncePerWorkflow ? ' DISTINCT' : ''} l.firing, l.flow_id, l.flow_version_id, ${number} AS n, ${times} AS times
    FROM listening l JOIN received r ON r.firing = l.firing${accepts ? ` ${accepts}` : ''})${
      delivery === 'onReceipt' ? '' : countedSql(declaration, 'sum(r.times)')
    }
  INSERT INTO flow_run_deltas (flow_id, until, flow_version_id, dropped_runs, runs, failed_runs, paths_completed, paths_failed, wall_time)
  SELECT r.flow_id, ${runMinuteSql(REQUESTED_AT)}, coalesce(r.flow_version_id, ''),
    sum(r.times), 0, 0, 0, 0, 0
  FROM runs r GROUP BY r.flow_id, r.flow_version_id`;
}

/** Returns SQL of the triggers that match, with their workflows. */
const listeningSql = ({ workflows, triggerKey = 'a.key' }: CauseDeclaration, asked: string): string => `
    SELECT a.firing, a.application_id, a.type, ${triggerKey} AS key, g.flow_id, g.flow_version_id, g.config
    FROM ${asked}
    ${workflows}`;

/** Returns SQL of the number of an item `r`. Items that are received as one payload have the number 0. */
const numberSql = ({ hasBatches }: CauseDeclaration): string =>
  hasBatches ? `CASE WHEN r.together AND l.config->>'batchBehavior' = 'once' THEN 0 ELSE r.n END` : 'r.n';

/** Returns SQL of the text of a trigger. `given` is that of an item. */
const triggerSql = (type: string, key: string, given: string): string =>
  `'{"type":' || to_json(${type}) || ',"key":' || to_json(${key}) || ',' || substr(${given}, 2)`;

const countedSql = ({ counts, countsIf = 'true' }: CauseDeclaration, times = 'count(*)'): string =>
  counts
    ? `,
  counted AS (${countPayloadsSql(`SELECT r.application_id, r.device_id, '${counts}' AS type, r.channel, ${times} AS n,
    sum(r.bytes) AS bytes FROM received r WHERE ${countsIf} GROUP BY r.application_id, r.device_id, r.channel`)})`
    : '';

/** Returns SQL of numbered rows: a number of rows of scalar parameters, or any number as one array for each column. */
function rowsSql(name: string, columns: Columns, first: number, count?: number): string {
  const types = Object.values(columns);
  const named = `${name} (${Object.keys(columns).map(columnName).join(', ')}, n)`;
  if (count === undefined)
    return `unnest(${types.map((type, i) => `$${first + i}::${type}[]`).join(', ')}) WITH ORDINALITY ${named}`;
  const row = (n: number) => types.map((type, i) => `$${first + n * types.length + i}::${type}`).join(', ');
  return `(VALUES ${Array.from({ length: count }, (_, n) => `(${row(n)}, ${n + 1})`).join(', ')}) ${named}`;
}
