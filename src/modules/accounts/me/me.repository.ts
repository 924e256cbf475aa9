import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { meSummary } from '../../../platform/counts/summaries.js';
import type { Changes } from '../../../platform/database/changes.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { Unauthorized } from '../../../lib/errors/errors.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { USER_COMPUTED } from '../users/user.columns.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { Me } from './me.resource.js';
import { RecentItemsRepository } from './recent-items.repository.js';

/** Properties of the response that contain lists of recent items. */
const RECENT = {
  recentApplications: 'application',
  recentDashboards: 'dashboard',
  recentOrganizations: 'organization',
} as const;

/** Properties of a user in the response besides their row. */
export interface MeDetails {
  summaryInclude?: string;
  summaryExclude?: string;
  includeRecent?: boolean;
}

/** Repository of the current user's row, as visible to themselves. */
@Injectable()
export class MeRepository {
  constructor(
    private readonly users: UsersRepository,
    private readonly recentItems: RecentItemsRepository,
  ) {}

  async obtain(caller: Principal, details: MeDetails): Promise<StoredResource<Me>> {
    const me = await this.users.read(shapeWith(meSummary.choose(details)), caller.userId);
    return this.withRecent(me, caller, details);
  }

  async change(
    caller: Principal,
    changes: Changes<User>,
    details: MeDetails = {},
  ): Promise<StoredResource<Me>> {
    const me = await this.users.change(shapeWith(meSummary.choose(details)), caller.userId, changes);
    return this.withRecent(me, caller, details);
  }

  private async withRecent(
    me: StoredResource<Me> | undefined,
    caller: Principal,
    { includeRecent }: MeDetails,
  ): Promise<StoredResource<Me>> {
    if (!me) throw new Unauthorized();
    if (!includeRecent) return me;
    const names = Object.keys(RECENT);
    const lists = await this.recentItems.lists(
      caller,
      Object.values(RECENT).map((itemType) => ({ itemType })),
    );
    return me.withMembers(Object.fromEntries(names.map((name, i) => [name, JSON.stringify(lists[i])])));
  }
}

function shapeWith(summary: readonly string[]): RowShape<Me> {
  return new RowShape<Me>(Me, [...USER_COMPUTED, meSummary.property(summary)]);
}
