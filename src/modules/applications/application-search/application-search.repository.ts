import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { globToLike } from '../../../platform/lists/glob.js';
import type { FoundType } from './found-resource.js';

/** As many as are answered of each type. */
const MOST = 20;

/** Where resources of a type are, by the application that holds them. */
interface Searched {
  table: string;
  holder?: string;
  /** The column by which it is known, where that is not its name. */
  name?: string;
  where?: string;
  /** The column of what kind of resource it is, where there are several. */
  kind?: string;
}

const SEARCHED: Readonly<Record<FoundType, Searched>> = {
  applicationApiToken: { table: 'api_tokens', holder: 'owner_id' },
  credential: { table: 'credentials' },
  dataTable: { table: 'data_tables' },
  device: { table: 'devices', where: ' AND t.deleted_at IS NULL', kind: 't.device_class' },
  deviceRecipe: { table: 'device_recipes' },
  experienceEndpoint: { table: 'experience_endpoints', name: 'route' },
  experienceGroup: { table: 'experience_groups' },
  experienceUser: { table: 'experience_users', name: 'email' },
  flow: { table: 'flows', kind: 't.flow_class' },
  webhook: { table: 'webhooks' },
};

/** Each type by the index of its names; `$2` is the pattern. */
const SEARCH = Object.entries(SEARCHED)
  .map(
    ([type, { table, holder = 'application_id', name = 'name', where = '', kind = 'NULL::text' }]) =>
      `(SELECT '${type}', t.id, t.${name}, ${kind} FROM ${table} t WHERE t.${holder} = $1${where}
        AND t.${name} ILIKE $2 ESCAPE '\\' ORDER BY t.${name}, t.id LIMIT ${MOST})`,
  )
  .join(' UNION ALL ');

/** A resource as it was found. */
export interface Found {
  type: FoundType;
  id: string;
  name: string;
  kind: string | null;
}

/** What an application holds, by name. */
@Injectable()
export class ApplicationSearchRepository {
  constructor(private readonly database: Database) {}

  /** Resources whose name has the text anywhere; in it, `*` and `?` stand for what they do in filters. */
  async search({ id, ownerId }: ApplicationAccess, filter: string): Promise<Found[]> {
    const rows = await this.database.search(prepared(SEARCH, [id, `%${globToLike(filter)}%`]), {
      owner: ownerId,
      parameter: 'filter',
    });
    return rows.map(([type, of, name, kind]) => ({
      type: type as FoundType,
      id: of!,
      name: name!,
      kind: kind ?? null,
    }));
  }
}
