import { membershipSql, parseMembership, type Membership } from './memberships.js';
import { placeParameters, placeSql, parsePlace, type PathIds, type Place } from './places.js';

/**
 * The data besides the caller that decides on a request: the place that its path names, and the caller's membership in
 * it.
 */
export interface AccessContext {
  place?: Place;
  membership?: Membership;
}

/**
 * Returns the columns that read a standing; `user` is the SQL of the user's ID. Their parameters, `accessContextParameters`,
 * are numbered from `from`.
 */
export function accessContextSql(user: string, from: number): string {
  const [application, organization, itself] = [0, 1, 2].map((i) => `$${from + i}`) as [
    string,
    string,
    string,
  ];
  const owner = `(SELECT a.owner_id FROM applications a WHERE a.id = ${application} AND a.owner_type = 'organization')`;
  return `${placeSql(application, organization)}, ${membershipSql(user, `coalesce(${owner}, ${itself})`)}`;
}

export const accessContextParameters = (ids: PathIds): (string | null)[] => [
  ...placeParameters(ids),
  organizationId(ids) ?? null,
];

export const parseAccessContext = (
  place: string | null | undefined,
  membership: string | null | undefined,
): AccessContext => ({ place: parsePlace(place), membership: parseMembership(membership) });

/** Returns the organization whose membership a standing concerns, as far as it is known without the place. */
export function organizationId(
  { applicationId, instanceId, orgId }: PathIds,
  place?: Place,
): string | undefined {
  if (place?.kind === 'application') return place.ownerType === 'organization' ? place.ownerId : undefined;
  return (applicationId ?? instanceId) === undefined ? orgId : undefined;
}
