import { Injectable } from '@nestjs/common';
import { countSql } from '../../../platform/counts/counts.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { DemoExperience } from './demo-experience.js';

/** Parts of an experience that are plain rows of an application. */
export const PLAIN_PARTS = {
  endpoints: { table: 'experience_endpoints', count: 'experienceEndpointCount' },
  views: { table: 'experience_views', count: 'experienceViewCount' },
  groups: { table: 'experience_groups', count: 'experienceGroupCount' },
  users: { table: 'experience_users', count: 'experienceUserCount' },
  domains: { table: 'experience_domains', count: 'experienceDomainCount' },
} as const;
export type PlainPart = keyof typeof PLAIN_PARTS;

const NAMED_VIEWS = `experience_views t WHERE t.application_id = $1
  AND (t.view_type, t.name) IN (SELECT * FROM unnest($2::text[], $3::text[]))`;
const ROUTED = `experience_endpoints t WHERE t.application_id = $1 AND t.id IN (SELECT r.endpoint_id
  FROM experience_routes r JOIN unnest($2::text[], $3::text[]) d (method, pattern) ON r.method = d.method AND r.pattern = d.pattern
  WHERE r.application_id = $1)`;
const NAMED_GROUPS = 'experience_groups t WHERE t.application_id = $1 AND t.name = $2';
const NAMED_USERS = 'experience_users t WHERE t.application_id = $1 AND t.email = $2';
/** Keeps the default slug, which is the ID of the application. */
const DROP_SLUGS =
  'DELETE FROM experience_slugs t WHERE t.application_id = $1 AND t.slug <> t.application_id';
const VERSIONS = `SELECT t.id, t.version FROM experience_versions t
  WHERE t.application_id = $1 AND t.id <> t.application_id ORDER BY t.id FOR UPDATE`;
const DROP_VERSIONS = `DELETE FROM experience_versions t WHERE t.application_id = $1 AND t.id = ANY ($2::text[])`;
const SIZE = `SELECT ${Object.values(PLAIN_PARTS)
  .map(({ count }) => countSql('$1', `'${count}'`, { parted: count === 'experienceViewCount' }))
  .join(' + ')}`;
const NAME = 'SELECT t.name FROM applications t WHERE t.id = $1';

/** Repository of complete experiences. */
@Injectable()
export class ExperienceRepository {
  constructor(private readonly database: Database) {}

  /** Returns the number of resources of the kinds that may be numerous. */
  async size(applicationId: string): Promise<number> {
    const [row] = await this.database.run(prepared(SIZE, [applicationId]));
    return Number(row![0]);
  }

  /** Returns the name of the application, for the audit log. */
  async nameOf(applicationId: string, transaction: Transaction): Promise<string | null> {
    const [row] = await transaction.run(prepared(NAME, [applicationId]));
    return row?.[0] ?? null;
  }

  /** Whether a name, route or email address of the example is in use. With `remove`, deletes the existing resources. */
  async isTaken(
    applicationId: string,
    { views, group, user, patterns }: DemoExperience & { patterns: readonly (readonly [string, string])[] },
    transaction: Transaction,
    remove = false,
  ): Promise<boolean> {
    const taken: readonly (readonly [string, readonly unknown[]])[] = [
      [NAMED_VIEWS, [views.map(({ viewType }) => viewType), views.map(({ name }) => name)]],
      [ROUTED, [patterns.map(([method]) => method), patterns.map(([, pattern]) => pattern)]],
      [NAMED_GROUPS, [group.name]],
      [NAMED_USERS, [user.email]],
    ];
    let found = false;
    for (const [rows, values] of taken) {
      const text = remove ? `DELETE FROM ${rows} RETURNING 1` : `SELECT 1 FROM ${rows} LIMIT 1`;
      const rowsFound = await transaction.run(prepared(text, [applicationId, ...values]));
      found = found || rowsFound.length > 0;
    }
    return found;
  }

  async dropAll(applicationId: string, part: PlainPart, transaction: Transaction): Promise<void> {
    const { table } = PLAIN_PARTS[part];
    await transaction.run(prepared(`DELETE FROM ${table} t WHERE t.application_id = $1`, [applicationId]));
  }

  async dropSlugs(applicationId: string, transaction: Transaction): Promise<void> {
    await transaction.run(prepared(DROP_SLUGS, [applicationId]));
  }

  /** Locks and returns all versions except `develop`. */
  async lockVersions(
    applicationId: string,
    transaction: Transaction,
  ): Promise<{ id: string; version: string }[]> {
    return transaction.rows(prepared(VERSIONS, [applicationId]));
  }

  async dropVersions(applicationId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    await transaction.run(prepared(DROP_VERSIONS, [applicationId, ids]));
  }
}
