import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JsonSchema } from '../fields/fields.js';

/** What an owner may have at most; every kind of owner has these, some have more. */
const OWNER_LIMITS = {
  apitoken: 'API tokens',
  application: 'applications',
  applicationFlowSlots: 'workflows an application may run at once',
  applicationcertificate: 'device certificates',
  applicationcertificateauthority: 'certificate authorities',
  applicationkey: 'access keys',
  credential: 'service credentials',
  dashboard: 'dashboards',
  dataTTL: 'seconds that device data is kept',
  datatable: 'data tables',
  device: 'devices',
  devicerecipe: 'device recipes',
  experienceFlowSlots: 'experience workflows an application may run at once',
  experiencedomain: 'experience domains',
  experienceendpoint: 'experience endpoints',
  experiencegroup: 'experience groups',
  experienceslug: 'experience slugs',
  experienceuser: 'experience users',
  experienceversion: 'experience versions',
  experienceview: 'experience views',
  file: 'files',
  flow: 'workflows',
  integration: 'integrations',
  notebook: 'notebooks',
  notebookInParallel: 'notebooks run at once',
  notebookMinutesPerMonth: 'notebook minutes a month',
  notebookMinutesPerRun: 'notebook minutes a run',
  payload: 'payloads a billing period',
  privatefile: 'private files',
  resourcejob: 'resource jobs',
  storage: 'bytes of workflow storage and files',
  systemInterval: 'least seconds between two reports of a system',
  webhook: 'webhooks',
} as const;
/** What an instance may have beside what each owner in it may. */
export const INSTANCE_LIMITS = {
  member: 'members an organization',
  organization: 'organizations',
  instanceApiToken: 'API tokens of the instance',
  instanceCustomNode: 'custom nodes of the instance',
  instanceNotificationRule: 'notification rules of the instance',
} as const;
/** What an organization may have beside what each owner may. */
export const ORG_LIMITS = { member: 'members' } as const;

/** Every limit with what it is of. */
export const LIMITS = { ...OWNER_LIMITS, ...INSTANCE_LIMITS, ...ORG_LIMITS } as const;
export type LimitName = keyof typeof LIMITS;
const LEAST: Readonly<Record<string, number>> = { dataTTL: 86_400, systemInterval: 5 };
const EXAMPLES: Readonly<Record<string, number>> = { dataTTL: 2_592_000, systemInterval: 60 };
const MOST: Readonly<Record<string, number>> = { systemInterval: 3_600 };

/** What applies where a limit is absent: what an answer shows whole has an end. */
const UNLESS_SAID: Partial<Record<LimitName, number>> = {
  experiencedomain: 100,
  experienceendpoint: 1_000,
  experienceslug: 1_000,
  member: 10_000,
};

const unlessSaid = (name: string): string => {
  const most = UNLESS_SAID[name as LimitName];
  return most === undefined ? '' : `; ${most} where it is absent`;
};

/** Device data is kept for 30 days unless an owner's limits say otherwise. */
export const DEFAULT_LIMITS = { dataTTL: 30 * 86_400 } as const;

/** The schema of an owner's limits. A limit that is absent does not apply; 0 allows none. */
export function limitsSchema(title: string, more: Readonly<Record<string, string>> = {}): JsonSchema {
  const properties = Object.entries({ ...OWNER_LIMITS, ...more }).map(([name, meaning]) => [
    name,
    {
      type: 'integer',
      minimum: LEAST[name] ?? 0,
      maximum: MOST[name] ?? Number.MAX_SAFE_INTEGER,
      description: `At most so many ${meaning}${unlessSaid(name)}.`,
      example: EXAMPLES[name] ?? 100,
    },
  ]);
  return {
    title,
    type: 'object',
    additionalProperties: false,
    description:
      'What the owner may have at most. A limit that is absent does not apply unless it says so; 0 allows none.',
    properties: Object.fromEntries(properties),
  };
}

/** Whose limits: a row of that table. */
export interface LimitedOwner {
  table: 'orgs' | 'users' | 'instances';
  id: string;
}

/** The owner of an application, who says how much of everything it may have. */
export const limitedOwner = (application: {
  ownerId: string;
  ownerType: 'user' | 'organization';
}): LimitedOwner => ({
  table: application.ownerType === 'organization' ? 'orgs' : 'users',
  id: application.ownerId,
});

/**
 * Throws 400 where the owner would have more than `limit` allows. `used` is trusted SQL that counts what there is, over
 * `t`, the owner's row; its parameters, `values`, begin at $2. `more` is what is to come: one, or 0 where the transaction
 * has stored it already. The owner's row stays locked until the transaction ends, so
 * of two that come at once for the last place one gets it. A limit that does not apply costs one statement and no lock.
 */
export async function demandWithinLimit(
  manager: EntityManager,
  { table, id }: LimitedOwner,
  limit: LimitName,
  used: string,
  values: readonly unknown[] = [],
  more = 1,
): Promise<void> {
  const [limited] = await manager.query<{ most: number }[]>(
    `SELECT coalesce((t.limits->>$2)::float8, $3) AS most FROM ${table} t
     WHERE t.id = $1 AND coalesce(t.limits->>$2, $3::text) IS NOT NULL FOR NO KEY UPDATE`,
    [id, limit, UNLESS_SAID[limit] ?? null],
  );
  if (!limited) return;
  // Counted once the lock is held: a count in the same statement would not see what was added while it waited.
  const [count] = await manager.query<{ used: number }[]>(
    `SELECT (${used})::float8 AS used FROM ${table} t WHERE t.id = $1`,
    [id, ...values],
  );
  if (count!.used + more > limited.most)
    throw new ValidationError(`The limit of ${limited.most} ${LIMITS[limit]} is reached`);
}

/** SQL that holds where the owner of `a`, a row of applications, has the limit. */
export const isLimitedSql = (limit: LimitName): string =>
  `(${['users', 'orgs']
    .map(
      (table) =>
        `EXISTS (SELECT FROM ${table} o WHERE o.id = a.owner_id AND o.limits->>'${limit}' IS NOT NULL)`,
    )
    .join(' OR ')})`;

/** SQL that holds where nothing limits the owner, for a statement whose parameters go on at `next`. */
export const noLimitSql =
  ({ table, id }: LimitedOwner, limit: LimitName) =>
  (next: number): { text: string; values: unknown[] } => {
    const most = UNLESS_SAID[limit] === undefined ? `o.limits->>'${limit}' IS NOT NULL` : 'true';
    return { text: `NOT EXISTS (SELECT FROM ${table} o WHERE o.id = $${next} AND ${most})`, values: [id] };
  };
