/** SQL condition that the public can reach applications of an owner: the owner exists and is not disabled. */
export const ownerIsServedSql = (ownerId: string): string => `(
    EXISTS (SELECT FROM users u WHERE u.id = ${ownerId} AND u.permanent_deletion IS NULL)
    OR EXISTS (SELECT FROM orgs o WHERE o.id = ${ownerId} AND o.deleted_at IS NULL AND NOT coalesce(o.disabled_at <= now(), false)))`;

/** SQL that joins the application `a` with the ID `applicationId` if the public can reach it. */
export const joinServedSql = (applicationId: string): string => `
  JOIN applications a ON a.id = ${applicationId} AND a.deleted_at IS NULL AND ${ownerIsServedSql('a.owner_id')}`;
