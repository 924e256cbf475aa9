/**
 * SQL that joins the application `a` with the ID `applicationId` if the public can reach it: it exists, and its owner
 * exists and is not disabled.
 */
export const joinServedSql = (applicationId: string): string => `
  JOIN applications a ON a.id = ${applicationId} AND a.deleted_at IS NULL
  LEFT JOIN orgs o ON o.id = a.owner_id AND o.deleted_at IS NULL AND NOT coalesce(o.disabled_at <= now(), false)
  LEFT JOIN users u ON u.id = a.owner_id AND u.permanent_deletion IS NULL`;

/** SQL condition of `joinServedSql`. */
export const OWNER_IS_SERVED = 'coalesce(o.id, u.id) IS NOT NULL';
