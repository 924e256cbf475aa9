import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal.js';
import { meSummary } from '../../platform/counts/summaries.js';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { returning, shaped, update } from '../../platform/database/statements.js';
import { Unauthorized } from '../../platform/errors/errors.js';
import { Stored } from '../../platform/response/answers.js';
import { USER_COMPUTED } from '../users/user.columns.js';
import { Me } from './me.resource.js';
import { RecentItemsService } from './recent-items.service.js';

/** The lists that an answer shows, under their names there. */
const RECENT = {
  recentApplications: 'application',
  recentDashboards: 'dashboard',
  recentOrganizations: 'organization',
} as const;

/** What an answer about the user holds beside their row. */
export interface MeDetails {
  summaryInclude?: string;
  summaryExclude?: string;
  includeRecent?: boolean;
}

/** The row of the user who asks. */
@Injectable()
export class MeRepository {
  constructor(
    private readonly database: Database,
    private readonly recentItems: RecentItemsService,
  ) {}

  async obtain(caller: Principal, details: MeDetails): Promise<Stored<Me>> {
    const shape = shapeWith(meSummary.choose(details));
    const [row] = await this.database.run(
      shaped(`SELECT ${shape.columns} FROM users t WHERE t.id = $1 AND t.permanent_deletion IS NULL`, [
        caller.userId,
      ]),
    );
    if (!row) throw new Unauthorized();
    return this.withRecent(new Stored(shape, row), caller, details);
  }

  async change(caller: Principal, changes: object, details: MeDetails = {}): Promise<Stored<Me>> {
    const shape = shapeWith(meSummary.choose(details));
    const set = { ...changes, lastUpdated: new Date() };
    const where = ['t.id = $1', 't.permanent_deletion IS NULL'];
    const [row] = await this.database.run(
      returning(update(Me, 'users', set, where, [caller.userId]), shape.columns),
    );
    if (!row) throw new Unauthorized();
    return this.withRecent(new Stored(shape, row), caller, details);
  }

  private async withRecent(
    me: Stored<Me>,
    caller: Principal,
    { includeRecent }: MeDetails,
  ): Promise<Stored<Me>> {
    if (!includeRecent) return me;
    const names = Object.keys(RECENT);
    const lists = await this.recentItems.lists(
      caller,
      Object.values(RECENT).map((itemType) => ({ itemType })),
    );
    return me.with(Object.fromEntries(names.map((name, i) => [name, JSON.stringify(lists[i])])));
  }
}

function shapeWith(summary: readonly string[]): RowShape<Me> {
  return new RowShape<Me>(Me, [...USER_COMPUTED, meSummary.property(summary)]);
}
