import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';
import { ID_PATTERN } from '../fields.js';
import type { OperationMeta } from '../operation.js';

/** What stands in paths for a place where a caller has a role. */
export const PLACE_PARAMETERS = ['applicationId', 'orgId', 'instanceId'] as const;

/** What a path names and access hangs on: an application with its owner, or an organization with its instance. */
export type Place =
  | { kind: 'application'; id: string; ownerId: string; ownerType: 'user' | 'organization' }
  | { kind: 'organization'; id: string; instanceId: string };

/** The place that a request is about and that has to be looked up. */
export interface WantedPlace {
  kind: Place['kind'];
  id: string;
}

/** What of a request tells which place it is about. */
interface Aim {
  params: Request['params'];
  operation?: OperationMeta;
}

const ID = new RegExp(ID_PATTERN);

/** SQL of a place as JSON; `application` and `organization` are parameters, of which one is null or both. */
export const placeSql = (application: string, organization: string): string =>
  `coalesce((SELECT json_build_object('kind', 'application', 'id', a.id, 'ownerId', a.owner_id, 'ownerType', a.owner_type)
    FROM applications a WHERE a.id = ${application} AND a.deleted_at IS NULL),
  (SELECT json_build_object('kind', 'organization', 'id', o.id, 'instanceId', o.instance_id)
    FROM orgs o WHERE o.id = ${organization} AND o.deleted_at IS NULL))`;

/** The parameters of `placeSql`. */
export const placeParameters = (wanted: WantedPlace | undefined): (string | null)[] => [
  wanted?.kind === 'application' ? wanted.id : null,
  wanted?.kind === 'organization' ? wanted.id : null,
];

export const parsePlace = (json: string | null | undefined): Place | undefined =>
  json ? (JSON.parse(json) as Place) : undefined;

/**
 * What has to be known of a request's path to decide on it: the application that it names, or the organization below an
 * instance. An organization by itself needs nothing: its members are known with their tokens.
 */
export function wantedPlace({ params, operation }: Aim): WantedPlace | undefined {
  if (operation?.selfGuarded) return undefined;
  const { applicationId, instanceId, orgId } = params;
  const id = applicationId ?? (instanceId === undefined ? undefined : orgId);
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  return { kind: applicationId === undefined ? 'organization' : 'application', id: id.toLowerCase() };
}

/** Looks places up. */
@Injectable()
export class Places {
  constructor(private readonly database: Database) {}

  async find(wanted: WantedPlace): Promise<Place | undefined> {
    const [row] = await this.database.read(
      prepared(`SELECT ${placeSql('$1', '$2')}`, placeParameters(wanted)),
    );
    return parsePlace(row?.[0]);
  }
}
