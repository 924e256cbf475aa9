import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { MAX_LINKS } from './experience-group.columns.js';

/** Resources that groups can be linked to, with their link tables. */
const LINKED = {
  users: { links: 'experience_group_users', column: 'user_id', table: 'experience_users', there: '' },
  endpoints: {
    links: 'experience_group_endpoints',
    column: 'endpoint_id',
    table: 'experience_endpoints',
    there: '',
  },
  devices: {
    links: 'experience_group_devices',
    column: 'device_id',
    table: 'devices',
    there: ' AND t.deleted_at IS NULL',
  },
} as const;
export type LinkKind = keyof typeof LINKED;

/** One side of the links, which are replaced by `ids`; `fieldPath` is the path of the IDs in error messages. */
interface LinkSide {
  applicationId: string;
  id: string;
  ids: readonly string[];
  fieldPath: string;
}

/**
 * Statements that replace the links of `own` (`$2`) with those to `$3`. The linked rows are locked until the
 * transaction ends, so that no link dangles.
 */
const setSql = (links: string, own: string, other: string, table: string, there = ''): string =>
  `WITH found AS (SELECT t.id FROM ${table} t WHERE t.application_id = $1 AND t.id = ANY ($3::text[])${there} FOR KEY SHARE),
    gone AS (DELETE FROM ${links} l WHERE l.${own} = $2 AND l.${other} <> ALL ($3::text[])),
    added AS (INSERT INTO ${links} (${own}, ${other}) SELECT $2, f.id FROM found f ON CONFLICT DO NOTHING)
  SELECT (SELECT count(*) FROM found)::int AS found,
    (SELECT count(*) FROM (SELECT FROM ${links} l WHERE l.${own} = $2 LIMIT ${MAX_LINKS + 1}) l)::int AS linked`;

const sidesOf = <Text>(
  make: (linked: (typeof LINKED)[LinkKind]) => Text,
): Readonly<Record<LinkKind, Text>> => ({
  users: make(LINKED.users),
  endpoints: make(LINKED.endpoints),
  devices: make(LINKED.devices),
});
const MEMBERS = sidesOf(({ links, column, table, there }) => setSql(links, 'group_id', column, table, there));
const GROUPS = sidesOf(({ links, column }) => setSql(links, column, 'group_id', 'experience_groups'));

/** Repository of the links of groups. To set links, callers must hold the lock on the row that owns them. */
@Injectable()
export class GroupLinksRepository {
  /** Replaces the links of a group. Throws 400 if the application does not have all of the resources. */
  setMembers(kind: LinkKind, side: LinkSide, transaction: Transaction): Promise<void> {
    return this.set(MEMBERS[kind], kind, side, transaction);
  }

  /** Replaces the groups of a resource. Throws 400 if the application does not have all of the groups. */
  setGroups(kind: LinkKind, side: LinkSide, transaction: Transaction): Promise<void> {
    return this.set(GROUPS[kind], 'groups', side, transaction);
  }

  private async set(
    text: string,
    kind: LinkKind | 'groups',
    { applicationId, id, ids, fieldPath }: LinkSide,
    transaction: Transaction,
  ): Promise<void> {
    const named = [...new Set(ids.map((one) => one.toLowerCase()))];
    const statement = prepared(text, [applicationId, id, named]);
    const [row] = await transaction.rows<{ found: number; linked: number }>(statement);
    if (row!.found < named.length)
      throw new ValidationError(`${fieldPath} refers to ${kind} that do not exist`);
    if (row!.linked > MAX_LINKS)
      throw new ValidationError(`${fieldPath} cannot be set: there are more than ${MAX_LINKS} ${kind}`);
  }
}
