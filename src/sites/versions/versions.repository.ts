import { Injectable } from '@nestjs/common';
import { joinServedSql } from '../../modules/applications/applications/serving.columns.js';
import type { ApplicationGlobal } from '../../modules/applications/applications/application.resource.js';
import type {
  METHODS,
  ACCESS_KINDS,
} from '../../modules/experience/experience-endpoints/endpoint.schemas.js';
import { upwardsSql } from '../../modules/experience/experience-groups/experience-group.columns.js';
import type {
  ExperienceGlobal,
  ExperienceReply,
} from '../../modules/experience/experience-versions/experience.schemas.js';
import type { ViewType } from '../../modules/experience/experience-views/view.schemas.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';

/** A version of an experience and its application. */
export interface VersionSettings {
  readonly id: string;
  readonly name: string;
  readonly applicationId: string;
  readonly applicationName: string;
  readonly applicationGlobals: readonly ApplicationGlobal[] | null;
  readonly ownerId: string;
  readonly ownerType: 'user' | 'organization';
  readonly endpointDefaultCors: boolean;
  readonly allowedCorsOrigins: readonly string[];
  readonly globals: readonly ExperienceGlobal[];
  readonly notFoundReply: ExperienceReply | null;
  readonly unauthorizedReply: ExperienceReply | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Endpoints that workflows listen to. */
  readonly triggerKeys: readonly string[];
}

/** An enabled endpoint. */
export interface EndpointRow {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  readonly route: string;
  readonly description: string | null;
  readonly access: (typeof ACCESS_KINDS)[number];
  readonly deviceIdTemplate: string | null;
  readonly endpointTags: Readonly<Record<string, string>>;
  readonly staticReply: ExperienceReply | null;
  readonly unauthorizedReply: ExperienceReply | null;
  readonly creationDate: Date;
  readonly lastUpdated: Date;
  readonly experienceGroups: readonly { readonly id: string; readonly name: string }[];
  /** The groups and their ancestors, whose members have access. */
  readonly memberGroupIds: readonly string[];
}

/** A view without its body. */
export interface ViewRow {
  readonly id: string;
  readonly viewType: ViewType;
  readonly name: string;
  readonly description: string | null;
  readonly layoutId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly viewTags: Readonly<Record<string, string>>;
  /** Names this state of this view among those of all versions. */
  readonly revision: string;
}

/** Body of a view as it is now. */
export interface ViewBody {
  readonly id: string;
  readonly body: string;
  readonly revision: string;
}

const SETTINGS = `SELECT v.id, v.version AS name, a.id AS application_id, a.name AS application_name,
    a.globals AS application_globals, a.owner_id, a.owner_type, v.endpoint_default_cors, v.allowed_cors_origins, v.globals,
    v.not_found_reply, v.unauthorized_reply, v.response_headers,
    ARRAY(SELECT DISTINCT g.key FROM flow_triggers g WHERE g.application_id = v.application_id
      AND g.version IN (v.version, 'default') AND g.type = 'endpoint') AS trigger_keys
  FROM experience_versions v ${joinServedSql('v.application_id')} WHERE v.id = $1`;

const endpointsOf = (
  rows: string,
  links: string,
): string => `SELECT t.id, t.method, t.route, t.description, t.access,
    t.device_id_template, t.endpoint_tags, t.static_reply, t.unauthorized_reply, t.creation_date, t.last_updated,
    coalesce(m.groups, '[]') AS experience_groups, coalesce(m.ids, '{}') AS member_group_ids
  FROM ${rows} LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id) AS groups,
      ARRAY(SELECT DISTINCT p.id FROM ${links} CROSS JOIN LATERAL (${upwardsSql('l.group_id')}) p) AS ids
    FROM ${links} CROSS JOIN LATERAL (SELECT e.id, e.name FROM experience_groups e WHERE e.id = l.group_id OFFSET 0) g
  ) m ON t.access = 'group'`;
const ENDPOINTS = endpointsOf(
  '(SELECT * FROM experience_endpoints e WHERE e.application_id = $1 AND e.enabled) t',
  '(SELECT k.group_id FROM experience_group_endpoints k WHERE k.endpoint_id = t.id) l',
);
const FROZEN_ENDPOINTS = endpointsOf(
  '(SELECT * FROM experience_endpoint_versions e WHERE e.version_id = $1 AND e.enabled) t',
  '(SELECT k.group_id FROM experience_endpoint_version_groups k WHERE k.version_id = $1 AND k.endpoint_id = t.id) l',
);

/** Views of different versions have the same ID, and one transaction can write many of them. */
const REVISION = `concat_ws(' ', $1::text, t.id, t.xmin) AS revision`;
const viewsOf = (
  rows: string,
): string => `SELECT t.id, t.view_type, t.name, t.description, t.layout_id, t.headers,
  t.view_tags, ${REVISION} FROM ${rows}`;
const OF_DEVELOP = 'experience_views t WHERE t.application_id = $1';
const OF_VERSION = 'experience_view_versions t WHERE t.version_id = $1';
const VIEWS = viewsOf(OF_DEVELOP);
const FROZEN_VIEWS = viewsOf(OF_VERSION);
const BODIES = `SELECT t.id, t.body, ${REVISION} FROM ${OF_DEVELOP} AND t.id = ANY ($2)`;
const FROZEN_BODIES = `SELECT t.id, t.body, ${REVISION} FROM ${OF_VERSION} AND t.id = ANY ($2)`;
const BY_NAME = 'SELECT t.id FROM experience_versions t WHERE t.application_id = $1 AND t.version = $2';

/** The ID of a version and of its application; equal for `develop`. */
export interface VersionKey {
  readonly id: string;
  readonly applicationId: string;
}

const isDevelop = ({ id, applicationId }: VersionKey): boolean => id === applicationId;

/** Reads what a version of an experience is made of. */
@Injectable()
export class VersionsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the settings of a version, or `undefined` if the public cannot reach it. */
  async settings({ id }: VersionKey): Promise<VersionSettings | undefined> {
    const [settings] = await this.database.rows<VersionSettings>(prepared(SETTINGS, [id]));
    return settings;
  }

  endpoints(version: VersionKey): Promise<EndpointRow[]> {
    return this.database.rows(prepared(isDevelop(version) ? ENDPOINTS : FROZEN_ENDPOINTS, [version.id]));
  }

  views(version: VersionKey): Promise<ViewRow[]> {
    return this.database.rows(prepared(isDevelop(version) ? VIEWS : FROZEN_VIEWS, [version.id]));
  }

  /** Returns the bodies of views that exist, with their revisions. */
  bodies(version: VersionKey, viewIds: readonly string[]): Promise<ViewBody[]> {
    const text = isDevelop(version) ? BODIES : FROZEN_BODIES;
    return this.database.rows(prepared(text, [version.id, viewIds]));
  }

  /** Returns the ID of a version by its name. */
  async idOf(applicationId: string, name: string): Promise<string | undefined> {
    const [found] = await this.database.rows<{ id: string }>(prepared(BY_NAME, [applicationId, name]));
    return found?.id;
  }
}
