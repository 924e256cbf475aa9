import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared, shaped } from '../../../platform/database/statements.js';
import { Unauthorized } from '../../../lib/errors/errors.js';
import { RECENT_KINDS, type RecentKinds, type RecentType } from '../../../platform/recent/recent-kinds.js';

const MAX_ITEMS = 10;
const TRIM = `DELETE FROM recent_items r WHERE r.user_id = $1 AND r.item_type = $2 AND r.parent_id = $3
  AND r.item_id NOT IN (SELECT n.item_id FROM recent_items n
    WHERE n.user_id = $1 AND n.item_type = $2 AND n.parent_id = $3
    ORDER BY n.viewed_at DESC, n.item_id LIMIT ${MAX_ITEMS})`;

/** Identifies a list of a user: items of one type, viewed in one parent or without one. */
export interface RecentListId {
  itemType: RecentType;
  parentId?: string;
}

/** List of recent items, newest first. */
export interface RecentList extends RecentListId {
  items: { id: string; name: string }[];
}

/** Repository of recently viewed items. Lists only contain items that the user can view, with their current names. */
@Injectable()
export class RecentItemsRepository {
  constructor(
    private readonly database: Database,
    @Inject(RECENT_KINDS) private readonly kinds: RecentKinds,
  ) {}

  /**
   * Puts an item at the top of a list of the caller, whose row is locked. Returns `false` if the caller cannot view the
   * item. Items beyond the limit are removed.
   */
  async put(
    caller: Principal,
    list: RecentListId,
    itemId: string,
    transaction: Transaction,
  ): Promise<boolean> {
    const kind = this.kinds[list.itemType];
    if (!kind) return false;
    const values: unknown[] = [caller.userId, list.itemType, list.parentId ?? '', itemId];
    const add = `INSERT INTO recent_items (user_id, item_type, parent_id, item_id, viewed_at)
      SELECT $1, $2, $3, t.id, clock_timestamp() FROM ${kind.table} t WHERE t.id = $4 AND ${kind.seenBy(caller, values)}
      ON CONFLICT (user_id, item_type, parent_id, item_id) DO UPDATE SET viewed_at = excluded.viewed_at RETURNING item_id`;
    const added = await transaction.run(shaped(add, values));
    if (added.length === 0) return false;
    await transaction.run(prepared(TRIM, values.slice(0, 3)));
    return true;
  }

  /** Returns several lists of the caller with one statement. */
  async lists(caller: Principal, wanted: readonly RecentListId[]): Promise<RecentList[]> {
    const values: unknown[] = [caller.userId];
    const columns = wanted.map((list) => this.itemsSql(caller, list, values));
    const text = `SELECT json_build_array(${columns.join(', ')}) AS lists
      FROM users u WHERE u.id = $1 AND u.permanent_deletion IS NULL`;
    const [found] = await this.database.rows<{ lists: RecentList['items'][] }>(shaped(text, values));
    if (!found) throw new Unauthorized();
    return wanted.map((list, i) => ({ ...list, items: found.lists[i]! }));
  }

  /** Returns SQL for the items of a list as JSON. `$1` is the user. */
  private itemsSql(caller: Principal, { itemType, parentId = '' }: RecentListId, values: unknown[]): string {
    const kind = this.kinds[itemType];
    if (!kind) return `'[]'::json`;
    const type = `$${values.push(itemType)}`;
    const parent = `$${values.push(parentId)}`;
    return `(SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY r.viewed_at DESC, r.item_id), '[]')
    FROM recent_items r JOIN ${kind.table} t ON t.id = r.item_id AND ${kind.seenBy(caller, values)}
    WHERE r.user_id = $1 AND r.item_type = ${type} AND r.parent_id = ${parent})`;
  }
}
