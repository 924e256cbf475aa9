import { ID_PATTERN } from '../fields/fields.js';

/** Path parameters that name a place in which the caller has a role. */
export const PLACE_PARAMETERS = ['applicationId', 'orgId', 'instanceId'] as const;

/** Place on which access depends: an application with its owner, or an organization with its instance. */
export type Place =
  | { kind: 'application'; id: string; ownerId: string; ownerType: 'user' | 'organization' }
  | { kind: 'organization'; id: string; instanceId: string };

/** IDs in the path, in lower case: an application, an organization, or an instance with or without an organization. */
export type PathIds = Partial<Record<(typeof PLACE_PARAMETERS)[number], string>>;

const ID = new RegExp(ID_PATTERN);

/** Returns the IDs of a path before they are validated. Malformed IDs are omitted. */
export function pathIds(params: Readonly<Record<string, unknown>>): PathIds {
  const idOf = (value: unknown) =>
    typeof value === 'string' && ID.test(value) ? value.toLowerCase() : undefined;
  return {
    applicationId: idOf(params.applicationId),
    instanceId: idOf(params.instanceId),
    orgId: idOf(params.orgId),
  };
}

/** Returns the ID of the place to look up. Instances, and organizations without an instance, need no lookup. */
export const placeId = ({ applicationId, instanceId, orgId }: PathIds): string | undefined =>
  applicationId ?? (instanceId === undefined ? undefined : orgId);

/** Returns SQL for a place as JSON. `application` and `organization` are parameters; at least one of them is null. */
export const placeSql = (application: string, organization: string): string =>
  `coalesce((SELECT json_build_object('kind', 'application', 'id', a.id, 'ownerId', a.owner_id, 'ownerType', a.owner_type)
    FROM applications a WHERE a.id = ${application} AND a.deleted_at IS NULL),
  (SELECT json_build_object('kind', 'organization', 'id', o.id, 'instanceId', o.instance_id)
    FROM orgs o WHERE o.id = ${organization} AND o.deleted_at IS NULL))`;

/** Returns the parameters of `placeSql`. */
export const placeParameters = (ids: PathIds): (string | null)[] => [
  ids.applicationId ?? null,
  ids.applicationId === undefined ? (placeId(ids) ?? null) : null,
];

export const parsePlace = (json: string | null | undefined): Place | undefined =>
  json ? (JSON.parse(json) as Place) : undefined;
