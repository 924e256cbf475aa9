import { ID_PATTERN } from '../fields/fields.js';

/** What stands in paths for a place where a caller has a role. */
export const PLACE_PARAMETERS = ['applicationId', 'orgId', 'instanceId'] as const;

/** What a path names and access hangs on: an application with its owner, or an organization with its instance. */
export type Place =
  | { kind: 'application'; id: string; ownerId: string; ownerType: 'user' | 'organization' }
  | { kind: 'organization'; id: string; instanceId: string };

/** What a path names, by ids in lower case: an application, an instance with or without an organization, an organization. */
export type PathIds = Partial<Record<(typeof PLACE_PARAMETERS)[number], string>>;

const ID = new RegExp(ID_PATTERN);

/** The ids of a path before they are checked: what is no id names nothing. */
export function pathIds(params: Readonly<Record<string, unknown>>): PathIds {
  const idOf = (value: unknown) =>
    typeof value === 'string' && ID.test(value) ? value.toLowerCase() : undefined;
  return {
    applicationId: idOf(params.applicationId),
    instanceId: idOf(params.instanceId),
    orgId: idOf(params.orgId),
  };
}

/** The place among them that has to be looked up. An instance, and an organization by itself, need none. */
export const placeId = ({ applicationId, instanceId, orgId }: PathIds): string | undefined =>
  applicationId ?? (instanceId === undefined ? undefined : orgId);

/** SQL of a place as JSON; `application` and `organization` are parameters, of which one is null or both. */
export const placeSql = (application: string, organization: string): string =>
  `coalesce((SELECT json_build_object('kind', 'application', 'id', a.id, 'ownerId', a.owner_id, 'ownerType', a.owner_type)
    FROM applications a WHERE a.id = ${application} AND a.deleted_at IS NULL),
  (SELECT json_build_object('kind', 'organization', 'id', o.id, 'instanceId', o.instance_id)
    FROM orgs o WHERE o.id = ${organization} AND o.deleted_at IS NULL))`;

/** The parameters of `placeSql`. */
export const placeParameters = (ids: PathIds): (string | null)[] => [
  ids.applicationId ?? null,
  ids.applicationId === undefined ? (placeId(ids) ?? null) : null,
];

export const parsePlace = (json: string | null | undefined): Place | undefined =>
  json ? (JSON.parse(json) as Place) : undefined;
