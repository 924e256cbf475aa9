/** Types of resources with usage counts. */
export type UsedResourceType = 'application' | 'organization' | 'user' | 'whitelabel';

/** Resource of an instance with usage counts, or the instance itself, with its owner. */
export interface UsedResource {
  id: string;
  resourceType: UsedResourceType;
  resourceName: string;
  ownerId: string | null;
  ownerType: 'organization' | 'user' | null;
  ownerName: string | null;
  creationDate: Date;
  limits: object | null;
}

const nameOfUser = (user: string) =>
  `left(coalesce(nullif(concat_ws(' ', ${user}.first_name, ${user}.last_name), ''), ${user}.email), 255)`;

/** Owner of an application, looked up by key; `OFFSET 0` prevents the planner from reading all owners. */
const OWNER = `CROSS JOIN LATERAL (
    SELECT o.instance_id, o.name FROM orgs o WHERE o.id = a.owner_id
    UNION ALL SELECT u.instance_id, ${nameOfUser('u')} FROM users u WHERE u.id = a.owner_id OFFSET 0) o`;

/** SQL for the resources of a type in the instance `$1`, in the form of `UsedResource`. */
export const USED: Readonly<Record<UsedResourceType, string>> = {
  application: `SELECT a.id, 'application' AS resource_type, a.name AS resource_name, a.owner_id, a.owner_type,
      o.name AS owner_name, a.creation_date, NULL::jsonb AS limits
    FROM applications a ${OWNER} WHERE o.instance_id = $1 AND a.deleted_at IS NULL`,
  organization: `SELECT g.id, 'organization' AS resource_type, g.name AS resource_name, g.id AS owner_id,
      'organization' AS owner_type, g.name AS owner_name, g.creation_date, g.limits
    FROM orgs g WHERE g.instance_id = $1 AND g.deleted_at IS NULL`,
  user: `SELECT s.id, 'user' AS resource_type, ${nameOfUser('s')} AS resource_name, s.id AS owner_id,
      'user' AS owner_type, ${nameOfUser('s')} AS owner_name, s.creation_date, NULL::jsonb AS limits
    FROM users s WHERE s.instance_id = $1 AND s.permanent_deletion IS NULL`,
  whitelabel: `SELECT i.id, 'whitelabel' AS resource_type, i.name AS resource_name, NULL::text AS owner_id,
      NULL::text AS owner_type, NULL::text AS owner_name, i.creation_date, NULL::jsonb AS limits
    FROM instances i WHERE i.id = $1`,
};
