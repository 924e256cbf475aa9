import { columnName } from '../../platform/database/naming.js';
import { countPayloadsSql } from '../../platform/payloads/payload-deltas.js';
import type { PayloadType } from '../../platform/payloads/payload-types.js';

/**
 * When the runs are committed:
 *
 * - `inTransaction`: with the change that causes them, in its transaction.
 * - `onReceipt`: before the sender receives a confirmation. No other change exists that could be committed without them.
 * - `afterCommit`: after the change. The caller receives a failure. A crash in between loses the runs, unless the sender
 *   repeats its request.
 * - `bestEffort`: like `afterCommit`, but a failure is logged and the caller never receives it.
 */
export type Delivery = 'inTransaction' | 'onReceipt' | 'afterCommit' | 'bestEffort';

/** Values of columns by PostgreSQL type. */
export interface SqlValues {
  bigint: number;
  boolean: boolean;
  int: number;
  text: string | null;
  timestamptz: Date;
}

/** Types of columns by property name. */
export type Columns = Readonly<Record<string, keyof SqlValues>>;

/** Declaration of one kind of cause. SQL refers to a trigger as `a`, a received item as `r`, and both have `firing`. */
export interface CauseDeclaration {
  readonly delivery: Delivery;
  /** Type of the payloads to count, even if no trigger matches. Omitted if the caller counts them. */
  readonly counts?: PayloadType;
  /** Condition for counting. */
  readonly countsIf?: string;
  /** Columns of `a` for `workflows`, in addition to `TRIGGER`. */
  readonly asks?: Columns;
  /** Columns of `r` for `accepts`, in addition to `ITEM`. */
  readonly items?: Columns;
  /**
   * Number of triggers of a firing, or `any` if it varies. A single firing with one item then has a statement of its own
   * with scalar parameters, because PostgreSQL plans every execution of a statement with short arrays again. Omitted if
   * firings are bulk writes, whose plans are made once.
   */
  readonly triggerCount?: number | 'any';
  /** Joins the triggers or workflows `g` that can run, and locks the workflows. */
  readonly workflows: string;
  /** SQL that restricts the items `r` by the configuration `l.config` of the trigger; omitted if all match. */
  readonly accepts?: string;
  /** Reduces an item to what `accepts` reads, so that equal ones are counted together if they are dropped. */
  readonly reduce?: (item: { given: string; time?: Date }) => { given: string; time: Date };
  /** SQL of the key of the trigger, if it is not the one that the caller names. */
  readonly triggerKey?: string;
  /** Key in the payload, if it is not the key of the trigger. One payload is stored for each item and key. */
  readonly payloadKey?: string;
  /** Whether a workflow runs once per payload, even if several of its triggers match. */
  readonly isOncePerWorkflow?: true;
  /** Whether triggers can select to receive the items that were sent together (`r.together`) as one payload. */
  readonly hasBatches?: true;
}

/** A declaration with its statements: for any number of firings, for a single one, and for dropped ones. */
export type Cause<D extends CauseDeclaration = CauseDeclaration> = D & {
  readonly text: string;
  readonly singleText?: string;
  /** Statement that counts the runs that would be stored, as dropped ones. */
  readonly droppedText: string;
};

/** Columns of every trigger and item, and of items whose payload is counted. */
const TRIGGER = { firing: 'int', applicationId: 'text', version: 'text', type: 'text', key: 'text' } as const;
const ITEM = { firing: 'int', lane: 'int', applicationId: 'text', deviceId: 'text', given: 'text' } as const;
const COUNTED = { channel: 'text', bytes: 'int' } as const;
/** How often a dropped item was received, and its firing if that is a batch. `bytes` is the total size. */
const DROPPED = { times: 'bigint', firings: 'bigint' } as const;

/** SQL of the time of the request. */
export const REQUESTED_AT = '$1::timestamptz';
/** Takes the time and counter from `$2`, so that IDs sort by creation, and adds a random part. */
const NEW_ID = `left($2, 8) || right($2, 6) || substr(replace(gen_random_uuid()::text, '-', ''), 23)`;
const FIRST_PARAMETER = 3;
const FIRST_DROPPED_PARAMETER = 2;

/** Returns the columns of the triggers and of the items of a cause, in the order of their parameters. */
export const columnsOf = ({
  asks,
  items,
  counts,
}: CauseDeclaration): { triggers: Columns; items: Columns } => ({
  triggers: { ...TRIGGER, ...asks },
  items: { ...ITEM, ...items, ...(counts ? COUNTED : {}) },
});

/** Returns the columns of a statement that counts dropped runs. */
export const droppedColumnsOf = (declaration: CauseDeclaration): ReturnType<typeof columnsOf> => {
  const { triggers, items } = columnsOf(declaration);
  return { triggers, items: { ...items, ...(declaration.counts ? { bytes: 'bigint' } : {}), ...DROPPED } };
};

/** Completes a declaration with the texts of its statements. */
export const cause = <const D extends CauseDeclaration>(declaration: D): Cause<D> => ({
  ...declaration,
  text: fireSql(declaration, false),
  singleText: declaration.triggerCount === undefined ? undefined : fireSql(declaration, true),
  droppedText: droppedSql(declaration),
});

/**
 * Returns SQL that finds the workflows, stores the payloads, counts them and stores the runs, in one statement for any
 * number of firings.
 */
function fireSql(declaration: CauseDeclaration, isSingle: boolean): string {
  const { triggerCount, accepts, hasBatches, payloadKey = 'l.key' } = declaration;
  const { triggers, items } = columnsOf(declaration);
  const count = isSingle && triggerCount !== 'any' ? triggerCount : undefined;
  const firstOfItems = FIRST_PARAMETER + Object.keys(triggers).length * (count ?? 1);
  const materialized = isSingle ? 'NOT MATERIALIZED' : 'MATERIALIZED';
  const batch = `(SELECT '{"sourceId":' || to_json(min(r.device_id)) || ',"data":[' || string_agg(r.given, ',' ORDER BY r.n) || ']}'
      FROM received r WHERE r.firing = p.firing)`;
  return `WITH listening AS ${materialized} (${listeningSql(declaration, rowsSql('a', triggers, FIRST_PARAMETER, count))}),
  received AS ${materialized} (SELECT * FROM ${rowsSql('r', items, firstOfItems, isSingle ? 1 : undefined)}),
  runs AS MATERIALIZED (
    SELECT${declaration.isOncePerWorkflow ? ' DISTINCT' : ''} l.firing, l.application_id, l.type, ${payloadKey} AS key, l.flow_id,
      l.flow_version_id, r.lane, r.device_id, ${numberSql(declaration)} AS n
    FROM listening l JOIN received r ON r.firing = l.firing${accepts ? ` ${accepts}` : ''}),
  payloads AS MATERIALIZED (
    SELECT p.*, ${NEW_ID} AS id FROM (SELECT DISTINCT firing, application_id, type, key, n FROM runs) p),
  stored AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT p.id, p.application_id, ('{"type":' || to_json(p.type) || ',"key":' || to_json(p.key) || ','
      || substr(${hasBatches ? `CASE WHEN p.n > 0 THEN r.given ELSE ${batch} END` : 'r.given'}, 2))::json
    FROM payloads p LEFT JOIN received r ON r.n = p.n)${countedSql(declaration)}
  INSERT INTO run_inbox (lane, id, application_id, flow_id, flow_version_id, device_id, payload_id, requested_at)
  SELECT r.lane, ${NEW_ID}, r.application_id, r.flow_id, r.flow_version_id, r.device_id, p.id, ${REQUESTED_AT}
  FROM runs r JOIN payloads p USING (firing, type, key, n)
  RETURNING lane, seq, id, application_id, flow_id, flow_version_id, device_id, payload_id`;
}

/**
 * Returns SQL that adds the runs that a cause would start to the dropped ones of their workflows, and counts the
 * payloads as received unless the sender was refused.
 */
function droppedSql(declaration: CauseDeclaration): string {
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
  SELECT r.flow_id, date_trunc('minute', ${REQUESTED_AT} + interval '59.999 seconds'), coalesce(r.flow_version_id, ''),
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
