import { type Transaction, type QueuedTransaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { MAX_LEVELS } from './experience-group.columns.js';
import { EXPERIENCE_GROUPS, ExperienceGroup } from './experience-group.resource.js';

const { table } = EXPERIENCE_GROUPS;
const BY_ID = `FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`;
/** First key of the advisory locks on group trees, one lock per application. Not used by other locks. */
export const TREE = 0x67727031;
const LINE = `WITH RECURSIVE above (id, parent_id, level) AS (
    SELECT t.id, t.parent_id, 1 FROM ${table} t WHERE t.application_id = $1 AND t.id = $2
    UNION ALL SELECT p.id, p.parent_id, a.level + 1 FROM above a CROSS JOIN LATERAL (
      SELECT t.id, t.parent_id FROM ${table} t WHERE t.id = a.parent_id OFFSET 0) p WHERE a.level <= $4),
  below (id, level) AS (
    SELECT $3::text, 1
    UNION ALL SELECT c.id, b.level + 1 FROM below b CROSS JOIN LATERAL (
      SELECT t.id FROM ${table} t WHERE t.parent_id = b.id OFFSET 0) c WHERE b.level <= $4)
  SELECT max(a.level) + (SELECT max(b.level) FROM below b) AS levels, bool_or(a.id = $3) AS has_itself
  FROM above a HAVING count(*) > 0`;
const MOVE_UP = `UPDATE ${table} c SET parent_id = t.parent_id, last_updated = now() FROM ${table} t
  WHERE t.application_id = $1 AND t.id = $2 AND c.parent_id = t.id`;

/** Ancestors of a place in the tree, and the depth of the group that is to be placed there. */
export interface AncestorLine {
  /** Resulting depth of the tree. Counting stops above the maximum. */
  levels: number;
  /** Whether the group to be placed is among the ancestors. */
  hasItself: boolean | null;
}

/** Repository of experience groups. */
export class ExperienceGroupsRepository extends repositoryOf(EXPERIENCE_GROUPS) {
  /** Returns a group with the changes of the current transaction. */
  async reload(
    applicationId: string,
    id: string,
    transaction: Transaction,
  ): Promise<StoredResource<ExperienceGroup>> {
    const [row] = await transaction.run(prepared(this.shape.select(BY_ID), [applicationId, id]));
    return new StoredResource(this.shape, row!);
  }

  /** Prevents concurrent moves and deletions of groups in the application until the transaction ends. */
  lockTree(applicationId: string, transaction: QueuedTransaction): Promise<void> {
    return transaction.lock([TREE, applicationId]);
  }

  /**
   * Returns the ancestors ending in `parentId` for placing the group `ownId` below it. Returns `undefined` if the
   * parent does not exist.
   */
  async lineOf(
    applicationId: string,
    parentId: string,
    ownId: string | undefined,
    transaction: Transaction,
  ): Promise<AncestorLine | undefined> {
    const values = [applicationId, parentId, ownId ?? null, MAX_LEVELS];
    const [line] = await transaction.rows<AncestorLine>(prepared(LINE, values));
    return line;
  }

  /** Moves the child groups of a group to its parent. */
  async moveUpBelow(applicationId: string, id: string, transaction: Transaction): Promise<void> {
    await transaction.run(prepared(MOVE_UP, [applicationId, id]));
  }
}
