import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { DEFAULT_LIMITS } from '../../../platform/holdings/limits.js';
import type {
  ApplicationGlobal,
  ArchiveConfig,
} from '../../applications/applications/application.resource.js';

/** Properties of an application that archives use. */
export interface ArchivedApplication {
  name: string;
  creationDate: Date;
  archiveConfig: ArchiveConfig | null;
  /** Sealed. */
  archiveSecrets: string | null;
  globals: ApplicationGlobal[] | null;
  /** Data retention of the owner, in seconds. */
  keptSeconds: number;
}

const FIND = `SELECT a.name, a.creation_date, a.archive_config, a.archive_secrets, a.globals,
    coalesce((coalesce(o.limits, u.limits)->>'dataTTL')::float8, $2) AS kept_seconds
  FROM applications a LEFT JOIN orgs o ON o.id = a.owner_id LEFT JOIN users u ON u.id = a.owner_id
  WHERE a.id = $1 AND a.deleted_at IS NULL`;
const TABLES = `SELECT t.id FROM data_tables t WHERE t.application_id = $1 AND t.id > $2
  AND ($3::text[] IS NULL OR t.id = ANY ($3)) AND t.id <> ALL ($4::text[]) ORDER BY t.id LIMIT $5`;
const PAGE = 100;

/** Selected data tables of an application: only the listed ones, or all except the listed ones. */
export interface SelectedTables {
  only?: readonly string[];
  except?: readonly string[];
}

/** Repository of the applications and data tables that archives read. */
@Injectable()
export class ArchivedApplicationsRepository {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<ArchivedApplication | undefined> {
    const [application] = await this.database.rows<ArchivedApplication>(
      prepared(FIND, [id, DEFAULT_LIMITS.dataTTL]),
    );
    return application;
  }

  /** Returns a page of data tables with IDs greater than `after`, ordered by ID. */
  tables(
    applicationId: string,
    { only, except = [] }: SelectedTables,
    after: string,
  ): Promise<{ id: string }[]> {
    return this.database.rows(prepared(TABLES, [applicationId, after, only ?? null, except, PAGE]));
  }
}
