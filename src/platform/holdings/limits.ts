import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JsonSchema } from '../fields/fields.js';

/** Limits that apply to every kind of owner. */
const OWNER_LIMITS = {
  apitoken: 'API tokens',
  application: 'applications',
  applicationFlowSlots: 'concurrent workflow runs per application',
  applicationcertificate: 'device certificates',
  applicationcertificateauthority: 'certificate authorities',
  applicationkey: 'access keys',
  credential: 'service credentials',
  dashboard: 'dashboards',
  dataTTL: 'seconds that device data is kept',
  datatable: 'data tables',
  device: 'devices',
  devicerecipe: 'device recipes',
  experienceFlowSlots: 'concurrent experience workflow runs per application',
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
  notebookInParallel: 'concurrent notebook runs',
  notebookMinutesPerMonth: 'notebook minutes per month',
  notebookMinutesPerRun: 'notebook minutes per run',
  payload: 'payloads per billing period',
  privatefile: 'private files',
  resourcejob: 'resource jobs',
  storage: 'bytes of workflow storage and files',
  systemInterval: 'seconds between two reports of a system',
  webhook: 'webhooks',
} as const;
/** Additional limits of instances. */
export const INSTANCE_LIMITS = {
  member: 'members per organization',
  organization: 'organizations',
  instanceApiToken: 'API tokens of the instance',
  instanceCustomNode: 'custom nodes of the instance',
  instanceNotificationRule: 'notification rules of the instance',
} as const;
/** Additional limits of organizations. */
export const ORG_LIMITS = { member: 'members' } as const;

/** All limits with a description of the limited quantity. */
export const LIMITS = { ...OWNER_LIMITS, ...INSTANCE_LIMITS, ...ORG_LIMITS } as const;
export type LimitName = keyof typeof LIMITS;
const MIN_VALUES: Readonly<Record<string, number>> = { dataTTL: 86_400, systemInterval: 5 };
const EXAMPLES: Readonly<Record<string, number>> = { dataTTL: 2_592_000, systemInterval: 60 };
const MAX_VALUES: Readonly<Record<string, number>> = { systemInterval: 3_600 };

/** Maximums if a limit is absent, for resources that are listed without pagination. */
const DEFAULT_MAXIMUMS: Partial<Record<LimitName, number>> = {
  experiencedomain: 100,
  experienceendpoint: 1_000,
  experienceslug: 1_000,
  member: 10_000,
};

const defaultMaximum = (name: string): string => {
  const max = DEFAULT_MAXIMUMS[name as LimitName];
  return max === undefined ? '' : `; ${max} if absent`;
};

/** Default limits: device data is kept for 30 days. */
export const DEFAULT_LIMITS = { dataTTL: 30 * 86_400 } as const;

/** Returns the schema of the limits of an owner. An absent limit does not apply; 0 allows none. */
export function limitsSchema(title: string, more: Readonly<Record<string, string>> = {}): JsonSchema {
  const properties = Object.entries({ ...OWNER_LIMITS, ...more }).map(([name, meaning]) => [
    name,
    {
      type: 'integer',
      minimum: MIN_VALUES[name] ?? 0,
      maximum: MAX_VALUES[name] ?? Number.MAX_SAFE_INTEGER,
      description: `${name === 'systemInterval' ? 'Minimum' : 'Maximum'} number of ${meaning}${defaultMaximum(name)}.`,
      example: EXAMPLES[name] ?? 100,
    },
  ]);
  return {
    title,
    type: 'object',
    additionalProperties: false,
    description:
      'Limits of the owner. An absent limit does not apply unless a default is stated; 0 allows none.',
    example: { application: 25, device: 1000, dataTTL: 2_592_000 },
    properties: Object.fromEntries(properties),
  };
}

/** Owner whose limits apply: a row of the given table. */
export interface LimitedOwner {
  table: 'orgs' | 'users' | 'instances';
  id: string;
}

/** Returns the owner of an application, whose limits apply to the application. */
export const limitedOwner = (application: {
  ownerId: string;
  ownerType: 'user' | 'organization';
}): LimitedOwner => ({
  table: application.ownerType === 'organization' ? 'orgs' : 'users',
  id: application.ownerId,
});

/**
 * Throws a `400` error if the owner would exceed `limit`. `used` is trusted SQL that counts the existing items, with
 * `t` as the row of the owner; its parameters, `values`, start at `$2`. `more` is the number of items to add: 1, or 0
 * if the transaction has already stored the item. The row of the owner stays locked until the transaction ends, so that
 * of two concurrent requests for the last slot only one succeeds. A limit that does not apply costs one statement and
 * no lock.
 */
export async function assertWithinLimit(
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
    [id, limit, DEFAULT_MAXIMUMS[limit] ?? null],
  );
  if (!limited) return;
  // Counts in a second statement, after locking. A count in the same statement would miss rows added while it waited.
  const [count] = await manager.query<{ used: number }[]>(
    `SELECT (${used})::float8 AS used FROM ${table} t WHERE t.id = $1`,
    [id, ...values],
  );
  if (count!.used + more > limited.most)
    throw new ValidationError(`The limit of ${limited.most} ${LIMITS[limit]} is reached`);
}

/** Returns an SQL condition: the owner of `a`, a row of applications, has the limit. */
export const isLimitedSql = (limit: LimitName): string =>
  `(${['users', 'orgs']
    .map(
      (table) =>
        `EXISTS (SELECT FROM ${table} o WHERE o.id = a.owner_id AND o.limits->>'${limit}' IS NOT NULL)`,
    )
    .join(' OR ')})`;

/** Returns an SQL condition: the owner has none of the limits. The next parameter of the statement is `$next`. */
export const noLimitSql =
  ({ table, id }: LimitedOwner, limit: LimitName) =>
  (next: number): { text: string; values: unknown[] } => {
    const max = DEFAULT_MAXIMUMS[limit] === undefined ? `o.limits->>'${limit}' IS NOT NULL` : 'true';
    return { text: `NOT EXISTS (SELECT FROM ${table} o WHERE o.id = $${next} AND ${max})`, values: [id] };
  };
