import { Injectable } from '@nestjs/common';
import { ExperienceUser } from '../../modules/experience/experience-users/experience-user.resource.js';
import { USER_COMPUTED } from '../../modules/experience/experience-users/experience-user.columns.js';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';

/** A user of an experience, and the time before which tokens are void. */
export interface FoundUser {
  readonly user: ExperienceUser;
  readonly cutoff: Date | undefined;
}

const CUTOFF = {
  property: 'tokenCutoff',
  kind: 'date',
  sql: 'greatest(t.token_cutoff, a.exp_user_token_cutoff)',
} as const;
const SHAPE = new RowShape(ExperienceUser, [...USER_COMPUTED, CUTOFF]);
const BY_ID = SHAPE.select(
  'FROM experience_users t JOIN applications a ON a.id = t.application_id WHERE t.application_id = $1 AND t.id = $2',
);

/** Reads the users who visit sites. */
@Injectable()
export class VisitorsRepository {
  constructor(private readonly database: Database) {}

  async find(applicationId: string, id: string): Promise<FoundUser | undefined> {
    const [row] = await this.database.read(prepared(BY_ID, [applicationId, id]));
    if (!row) return undefined;
    const { tokenCutoff: cutoff, ...user } = SHAPE.toObject(row);
    return { user, cutoff };
  }
}
