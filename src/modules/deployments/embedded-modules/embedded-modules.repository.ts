import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { Lease } from '../../../platform/leases/lease.js';
import type { EmbeddedModule } from './embedded-module.entity.js';
import type { ModuleMetadata } from './module-metadata.js';

/** Maximum number of owners per round. */
const MAX_OWNERS_PER_ROUND = 32;
/** Minimum time before a failed compilation can be retried. */
const RETRY = `interval '1 minute'`;
/** Retention of modules in days. */
export const RETENTION_DAYS = 30;

const OWNER = '(SELECT a.owner_id FROM applications a WHERE a.id = $1)';
/** SQL for a digest of the workflow versions in a device's desired bundle, the newest one. */
const workflowsSql = (device: string): string =>
  `(SELECT md5((t.bundles->0->'flows')::text) FROM embedded_deployments t WHERE t.device_id = ${device})`;
const KEY = 'm.application_id = $1 AND m.device_id = $2 AND m.bundle_version = $3 AND m.recipe = $4';
/** Lease of a worker on a module that it compiles. */
export const MODULE_LEASE = new Lease<ClaimedModule>({
  table: 'embedded_modules',
  key: ['application_id', 'device_id', 'bundle_version', 'recipe'],
  working: `status = 'wanted'`,
  ms: 20_000,
  holder: (claimed) => [...keyOf(claimed), claimed.attempts],
});
/** Modules requested by a device and not yet claimed. */
const UNCLAIMED = `m.status = 'wanted' AND m.attempts = 0 AND m.asked_at IS NOT NULL`;
/**
 * Retries a failed module after a while. A device can have at most one queued module: earlier requests with other options or
 * for another bundle are deleted.
 */
const REQUEST = `WITH gone AS (DELETE FROM embedded_modules m WHERE m.application_id = $1 AND m.device_id = $2
    AND (m.bundle_version, m.recipe) <> ($3, $4) AND ${UNCLAIMED})
  INSERT INTO embedded_modules AS m (application_id, device_id, bundle_version, recipe, owner_id, workflows, due_at, made_at, asked_at, gzip)
  VALUES ($1, $2, $3, $4, ${OWNER}, ${workflowsSql('$2')}, now(), now(), now(), $5)
  ON CONFLICT (application_id, device_id, bundle_version, recipe) DO UPDATE SET
    asked_at = now(), gzip = excluded.gzip, owner_id = excluded.owner_id,
    due_at = CASE WHEN m.status = 'failed' AND m.due_at <= now() THEN now() ELSE m.due_at END,
    attempts = CASE WHEN m.status = 'failed' AND m.due_at <= now() THEN 0 ELSE m.attempts END,
    status = CASE WHEN m.status = 'failed' AND m.due_at <= now() THEN 'wanted' ELSE m.status END
  RETURNING m.status, m.error`;
/** Requests modules of many devices for an export, in key order to avoid deadlocks. */
const REQUEST_MANY = `INSERT INTO embedded_modules AS m (application_id, device_id, bundle_version, recipe, owner_id, workflows, due_at, made_at)
  SELECT $1, w.device_id, w.bundle_version, $4, ${OWNER}, ${workflowsSql('w.device_id')}, now(), now()
  FROM unnest($2::text[], $3::text[]) w (device_id, bundle_version) ORDER BY w.device_id, w.bundle_version
  ON CONFLICT (application_id, device_id, bundle_version, recipe) DO UPDATE SET
    due_at = now(), attempts = 0, status = 'wanted' WHERE $5 AND m.status = 'failed' AND m.due_at <= now()`;
const STATES = `SELECT m.device_id, m.bundle_version, m.status, m.error, m.content, m.facts FROM embedded_modules m
  JOIN unnest($2::text[], $3::text[]) w (device_id, bundle_version)
    ON m.application_id = $1 AND m.device_id = w.device_id AND m.bundle_version = w.bundle_version AND m.recipe = $4`;
/** Latest request of a device for a bundle. */
const LATEST_REQUEST = `SELECT m.recipe, m.status, m.error, m.content, m.gzip, m.facts FROM embedded_modules m
  WHERE m.application_id = $1 AND m.device_id = $2 AND m.bundle_version = $3 AND m.asked_at IS NOT NULL
  ORDER BY m.asked_at DESC LIMIT 1`;
const CANCEL = `WITH gone AS (DELETE FROM embedded_modules m WHERE m.application_id = $1 AND m.device_id = $2 AND ${UNCLAIMED})
  UPDATE embedded_modules m SET asked_at = NULL
  WHERE m.application_id = $1 AND m.device_id = $2 AND m.asked_at IS NOT NULL AND NOT (${UNCLAIMED})`;
const REBUILD = `UPDATE embedded_modules m SET status = 'wanted', attempts = 0, due_at = now(), content = NULL, bytes = 0
  WHERE ${KEY} AND m.status = 'ready' AND m.content = $5`;
/** SQL for the next owner with queued modules after a given ID, wrapping around at the end. */
const nextSql = (after: string): string => {
  const first = (condition: string) =>
    `(SELECT w.owner_id FROM embedded_modules w WHERE w.status = 'wanted' AND w.${MODULE_LEASE.dueSql}${condition} ORDER BY w.owner_id LIMIT 1)`;
  return `coalesce(${first(` AND w.owner_id > ${after}`)}, ${first('')})`;
};
/** Key of the advisory lock that serializes claims, not used elsewhere. */
const CLAIM_LOCK = 1_190_112_107;
const LOCK_CLAIMS = `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`;
/** Whether a worker compiles the same workflows for another device. */
const COMPILING = `SELECT FROM embedded_modules c WHERE c.application_id = w.application_id AND c.workflows = w.workflows
  AND c.recipe = w.recipe AND c.status = 'wanted' AND c.attempts > 0 AND NOT c.${MODULE_LEASE.dueSql}`;
/**
 * Round robin: in each round, every owner gets the oldest queued module of all its applications. Modules of the same
 * workflows are claimed one after the other, because only the first one has to be compiled.
 */
const CLAIM = `WITH RECURSIVE turns (owner_id, turn) AS (
    SELECT ${nextSql('$2::text')}, 1
    UNION ALL SELECT ${nextSql('t.owner_id')}, t.turn + 1 FROM turns t WHERE t.owner_id IS NOT NULL AND t.turn < ${MAX_OWNERS_PER_ROUND}),
  due AS MATERIALIZED (SELECT a.turn, w.*, row_number() OVER (PARTITION BY a.owner_id ORDER BY w.due_at) AS round
    FROM (SELECT t.owner_id, min(t.turn) AS turn FROM turns t GROUP BY 1) a CROSS JOIN LATERAL (
      SELECT w.application_id, w.device_id, w.bundle_version, w.recipe, w.workflows, w.due_at FROM embedded_modules w
      WHERE w.owner_id = a.owner_id AND w.status = 'wanted' AND w.${MODULE_LEASE.dueSql} AND NOT EXISTS (${COMPILING})
      ORDER BY w.due_at LIMIT $1 FOR UPDATE SKIP LOCKED) w),
  firsts AS (SELECT DISTINCT ON (d.application_id, d.recipe, coalesce(d.workflows, d.device_id)) d.* FROM due d
    ORDER BY d.application_id, d.recipe, coalesce(d.workflows, d.device_id), d.due_at)
  UPDATE embedded_modules m SET ${MODULE_LEASE.claimSql}
  FROM (SELECT * FROM firsts ORDER BY round, turn LIMIT $1) d
  WHERE (m.application_id, m.device_id, m.bundle_version, m.recipe)
    = (d.application_id, d.device_id, d.bundle_version, d.recipe)
  RETURNING m.application_id, m.device_id, m.bundle_version, m.recipe, m.attempts, m.owner_id, d.turn`;
const RELEASE = `UPDATE embedded_modules SET due_at = now(), attempts = attempts - 1 WHERE ${MODULE_LEASE.heldSql} RETURNING 1`;
const DROP = `DELETE FROM embedded_modules WHERE ${MODULE_LEASE.heldSql} RETURNING 1`;
const FINISH = `UPDATE embedded_modules SET status = 'ready', error = NULL, made_at = now(), content = $6, bytes = $7,
  facts = $8::jsonb WHERE ${MODULE_LEASE.heldSql} RETURNING 1`;
const FAIL = `UPDATE embedded_modules SET status = 'failed', due_at = now() + ${RETRY}, error = $6 WHERE ${MODULE_LEASE.heldSql} RETURNING 1`;
const START = `UPDATE embedded_modules SET content = $6 WHERE ${MODULE_LEASE.heldSql} RETURNING 1`;
/** A failure counts until it can be retried. */
const RESULT = `SELECT m.facts, m.error FROM embedded_modules m
  WHERE m.content = $1 AND (m.status = 'ready' OR m.status = 'failed' AND m.due_at > now()) ORDER BY m.status DESC LIMIT 1`;
/** Oldest modules are removed first if the total size of their blobs exceeds the limit. */
const REMOVE = `WITH contents AS (SELECT k.content, sum(k.bytes) OVER (ORDER BY k.made_at DESC, k.content) AS total
    FROM (SELECT a.content, max(a.bytes) AS bytes, max(a.made_at) AS made_at FROM embedded_modules a
      WHERE a.content IS NOT NULL GROUP BY a.content) k),
  gone AS (SELECT a.application_id, a.device_id, a.bundle_version, a.recipe
    FROM embedded_modules a LEFT JOIN contents c ON c.content = a.content
    WHERE a.made_at < now() - interval '${RETENTION_DAYS} days' OR (c.total > $1 AND a.status = 'ready')
    ORDER BY a.made_at LIMIT $2)
  DELETE FROM embedded_modules m USING gone g
  WHERE (m.application_id, m.device_id, m.bundle_version, m.recipe) = (g.application_id, g.device_id, g.bundle_version, g.recipe)
    AND (m.status <> 'wanted' OR m.due_at < now() - interval '1 day')
  RETURNING m.content`;
const UNUSED = `SELECT DISTINCT c.content FROM unnest($1::text[]) c (content)
  WHERE NOT EXISTS (SELECT FROM embedded_modules m WHERE m.content = c.content)`;

/** Primary key of a module. */
export type ModuleKey = Pick<EmbeddedModule, 'applicationId' | 'deviceId' | 'bundleVersion' | 'recipe'>;
/** Module claimed by a worker. */
export type ClaimedModule = ModuleKey & Pick<EmbeddedModule, 'attempts' | 'ownerId'>;
/** State of a module; if it is ready, content and facts are set. */
export type ModuleState = Pick<EmbeddedModule, 'status' | 'error' | 'content' | 'facts'>;
/** Device and its desired bundle. */
export type Target = Pick<EmbeddedModule, 'deviceId' | 'bundleVersion'>;

/** Modules to compile with the same options. */
export interface ModulesRequest {
  applicationId: string;
  targets: readonly Target[];
  recipe: string;
}

const keyOf = ({ applicationId, deviceId, bundleVersion, recipe }: ModuleKey) => [
  applicationId,
  deviceId,
  bundleVersion,
  recipe,
];

/** Queue and cache of compiled modules; any worker can claim queued ones. */
@Injectable()
export class EmbeddedModulesRepository {
  constructor(private readonly database: Database) {}

  /** Records the request of a device for a module. */
  async request(key: ModuleKey, gzip: boolean): Promise<Pick<EmbeddedModule, 'status' | 'error'>> {
    const [row] = await this.database.rows<Pick<EmbeddedModule, 'status' | 'error'>>(
      prepared(REQUEST, [...keyOf(key), gzip]),
    );
    return row!;
  }

  /** Requests missing modules; with `anew`, also retries those that failed some time ago. */
  async requestMany({ applicationId, targets, recipe }: ModulesRequest, anew: boolean): Promise<void> {
    await this.database.run(prepared(REQUEST_MANY, [...valuesOf({ applicationId, targets, recipe }), anew]));
  }

  /** Returns the states of modules; deleted ones are absent. */
  states(wanted: ModulesRequest): Promise<(Target & ModuleState)[]> {
    return this.database.rows(prepared(STATES, valuesOf(wanted)));
  }

  /** Returns the latest request of a device for a bundle. */
  async findLatestRequest(
    applicationId: string,
    { deviceId, bundleVersion }: Target,
  ): Promise<(ModuleState & Pick<EmbeddedModule, 'recipe' | 'gzip'>) | undefined> {
    const [row] = await this.database.rows<ModuleState & Pick<EmbeddedModule, 'recipe' | 'gzip'>>(
      prepared(LATEST_REQUEST, [applicationId, deviceId, bundleVersion]),
    );
    return row;
  }

  /** Cancels the requests of a device, so that it cannot download a module. */
  async cancelRequests(applicationId: string, deviceId: string): Promise<void> {
    await this.database.run(prepared(CANCEL, [applicationId, deviceId]));
  }

  /** Requests a module again because its blob no longer exists. */
  async rebuild(key: ModuleKey, content: string): Promise<void> {
    await this.database.run(prepared(REBUILD, [...keyOf(key), content]));
  }

  /**
   * Claims queued modules, round robin over owners by ID, starting after the given one. The last owner in the result is
   * the next starting point.
   */
  async claim(max: number, after: string): Promise<ClaimedModule[]> {
    return this.database.transaction(async (transaction) => {
      await transaction.run(prepared(LOCK_CLAIMS, []));
      const claimed = await transaction.rows<ClaimedModule & { turn: number }>(prepared(CLAIM, [max, after]));
      return claimed.sort((a, b) => a.turn - b.turn);
    });
  }

  /** Extends the lease. Returns `false` if another worker has claimed the module. */
  extend(claimed: ClaimedModule): Promise<boolean> {
    return MODULE_LEASE.extend(this.database, claimed);
  }

  /** Releases the claim, so that another worker can take over. */
  async release(claimed: ClaimedModule): Promise<void> {
    await MODULE_LEASE.write(this.database, RELEASE, claimed);
  }

  /** Deletes a module that is no longer desired. */
  async delete(claimed: ClaimedModule): Promise<void> {
    await MODULE_LEASE.write(this.database, DROP, claimed);
  }

  /** Stores the result. Returns `false` if another worker has claimed the module, or it was deleted. */
  async finish(
    claimed: ClaimedModule,
    made: { content: string; bytes: number; facts: ModuleMetadata },
    transaction: Transaction,
  ): Promise<boolean> {
    const values = [made.content, made.bytes, JSON.stringify(made.facts)];
    return MODULE_LEASE.write(transaction, FINISH, claimed, values);
  }

  /**
   * Returns the result of compiling the same input for any device: facts about its module, or the error of the last
   * minute.
   */
  async findResult(content: string): Promise<Pick<EmbeddedModule, 'facts' | 'error'> | undefined> {
    const [row] = await this.database.rows<Pick<EmbeddedModule, 'facts' | 'error'>>(
      prepared(RESULT, [content]),
    );
    return row;
  }

  /** Records the input that is about to be compiled, so that the result counts for all devices with this input. */
  async start(claimed: ClaimedModule, content: string): Promise<void> {
    await MODULE_LEASE.write(this.database, START, claimed, [content]);
  }

  /** Records a compile error. */
  async fail(claimed: ClaimedModule, error: string): Promise<void> {
    await MODULE_LEASE.write(this.database, FAIL, claimed, [error]);
  }

  /** Removes modules that are too old or exceed the size limit. Returns their contents, `null` if not compiled. */
  async removeBatch(mostBytes: number, max: number): Promise<(string | null)[]> {
    return (await this.database.run({ text: REMOVE, values: [mostBytes, max] })).map(([content]) => content!);
  }

  /** Returns those contents whose blobs no module uses. */
  async unused(contents: readonly string[]): Promise<string[]> {
    return (await this.database.run(prepared(UNUSED, [contents]))).map(([content]) => content!);
  }
}

const valuesOf = ({ applicationId, targets, recipe }: ModulesRequest): unknown[] => [
  applicationId,
  targets.map(({ deviceId }) => deviceId),
  targets.map(({ bundleVersion }) => bundleVersion),
  recipe,
];
