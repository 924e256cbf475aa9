import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RowShape, type Computed } from '../../platform/database/row-shape.js';
import { prepared, returning, update } from '../../platform/database/statements.js';
import { Unauthorized } from '../../platform/errors/errors.js';
import { Stored } from '../../platform/response/answers.js';
import { Me, meSummary } from './me.resource.js';

meSummary.countedBy(
  'appCount',
  '(SELECT count(*) FROM applications a WHERE a.owner_id = t.id AND a.deleted_at IS NULL)',
);
meSummary.countedBy(
  'orgCount',
  '(SELECT count(*) FROM org_members m JOIN orgs o ON o.id = m.org_id AND o.deleted_at IS NULL WHERE m.user_id = t.id)',
);
meSummary.countedBy('instanceCount', '(SELECT count(*) FROM instance_members i WHERE i.user_id = t.id)');
meSummary.countedBy('apiTokenCount', '(SELECT count(*) FROM api_tokens k WHERE k.owner_id = t.id)');

const COMPUTED: readonly Computed[] = [
  { property: 'needsToVerifyEmail', kind: 'boolean', sql: 'NOT t.email_verified' },
  { property: 'fullName', kind: 'text', sql: `nullif(concat_ws(' ', t.first_name, t.last_name), '')` },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_key IS NOT NULL' },
];

/** Nothing notes yet what a user looks at, so each list that is asked for is empty. */
const RECENT = Object.fromEntries(
  ['application', 'dashboard', 'organization'].map((itemType) => [
    `recent${itemType[0]!.toUpperCase()}${itemType.slice(1)}s`,
    JSON.stringify({ itemType, items: [] }),
  ]),
);

/** What an answer about the user holds beside their row. */
export interface MeDetails {
  summaryInclude?: string;
  summaryExclude?: string;
  includeRecent?: boolean;
}

/** The row of the user who asks. */
@Injectable()
export class MeRepository {
  constructor(private readonly database: Database) {}

  async obtain(id: string, details: MeDetails): Promise<Stored<Me>> {
    const shape = shapeWith(meSummary.choose(details));
    const [row] = await this.database.run(
      prepared(`SELECT ${shape.columns} FROM users t WHERE t.id = $1`, [id]),
    );
    if (!row) throw new Unauthorized();
    return new Stored(shape, row, details.includeRecent ? RECENT : {});
  }

  async change(id: string, changes: object, details: MeDetails = {}): Promise<Stored<Me>> {
    const shape = shapeWith(meSummary.choose(details));
    const set = { ...changes, lastUpdated: new Date() };
    const [row] = await this.database.run(
      returning(update(Me, 'users', set, ['t.id = $1'], [id]), shape.columns),
    );
    if (!row) throw new Unauthorized();
    return new Stored(shape, row, details.includeRecent ? RECENT : {});
  }
}

function shapeWith(summary: readonly string[]): RowShape<Me> {
  return new RowShape<Me>(Me, [
    ...COMPUTED,
    { property: 'summary', kind: 'json', sql: meSummary.sql(summary) },
  ]);
}
