import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { globToLike } from '../../../platform/lists/glob.js';
import type { FoundType } from './found-resource.js';

/** Maximum number of results per type. */
const MAX_RESULTS = 20;

/** Table of a searchable type, and its columns. */
interface SearchTable {
  table: string;
  holder?: string;
  /** Column that is searched, if not `name`. */
  name?: string;
  where?: string;
  /** Column of the resource's class, if the type has classes. */
  kind?: string;
}

const SEARCH_TABLES: Readonly<Record<FoundType, SearchTable>> = {
  applicationApiToken: { table: 'api_tokens', holder: 'owner_id' },
  credential: { table: 'credentials' },
  dataTable: { table: 'data_tables' },
  device: { table: 'devices', where: ' AND t.deleted_at IS NULL', kind: 't.device_class' },
  deviceRecipe: { table: 'device_recipes' },
  experienceDomain: { table: 'experience_domains', name: 'domain_name' },
  experienceEndpoint: { table: 'experience_endpoints', name: 'route' },
  experienceGroup: { table: 'experience_groups' },
  experienceSlug: { table: 'experience_slugs', name: 'slug', where: ' AND t.slug <> t.application_id' },
  experienceUser: { table: 'experience_users', name: 'email' },
  experienceVersion: { table: 'experience_versions', name: 'version' },
  experienceView: { table: 'experience_views', kind: 't.view_type' },
  flow: { table: 'flows', kind: 't.flow_class' },
  integration: { table: 'integrations' },
  webhook: { table: 'webhooks' },
};

/** Searches each type by the index of its names; `$2` is the pattern. */
const SEARCH = Object.entries(SEARCH_TABLES)
  .map(
    ([type, { table, holder = 'application_id', name = 'name', where = '', kind = 'NULL::text' }]) =>
      `(SELECT '${type}', t.id, t.${name}, ${kind} FROM ${table} t WHERE t.${holder} = $1${where}
        AND t.${name} ILIKE $2 ESCAPE '\\' ORDER BY t.${name}, t.id LIMIT ${MAX_RESULTS})`,
  )
  .join(' UNION ALL ');

/** A search result. */
export interface SearchResult {
  type: FoundType;
  id: string;
  name: string;
  kind: string | null;
}

/** Searches the resources of an application by name. */
@Injectable()
export class ApplicationSearchRepository {
  constructor(private readonly database: Database) {}

  /** Returns resources whose name contains the text. `*` and `?` are wildcards, as in filters. */
  async search({ id, ownerId }: ApplicationAccess, filter: string): Promise<SearchResult[]> {
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
