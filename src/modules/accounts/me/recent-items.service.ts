import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Database } from '../../../platform/database/database.js';
import { Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import { UsersRepository } from '../users/users.repository.js';
import type { RecentItemPost } from './recent-item.resource.js';
import { RecentItemsRepository, type RecentList, type RecentListId } from './recent-items.repository.js';

/** Recently viewed items of users. */
@Injectable()
export class RecentItemsService {
  constructor(
    private readonly recentItems: RecentItemsRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
  ) {}

  /** Puts an item at the top of its list. The user is locked, so that no list exceeds its limit. */
  async add(caller: Principal, item: RecentItemPost): Promise<RecentList> {
    const list: RecentListId = { itemType: item.itemType, parentId: item.parentId?.toLowerCase() };
    await this.database.transaction(async (transaction) => {
      if (!(await this.users.lock({ id: caller.userId }, transaction))) throw new Unauthorized();
      if (!(await this.recentItems.put(caller, list, item.itemId.toLowerCase(), transaction)))
        throw new ValidationError(
          `recentItem.itemId does not match any ${item.itemType} that you can access`,
        );
    });
    return this.get(caller, list);
  }

  async get(caller: Principal, list: RecentListId): Promise<RecentList> {
    const [found] = await this.recentItems.lists(caller, [list]);
    return found!;
  }
}
