/** SQL of the IDs of all members of the organization `t`. */
export const MEMBER_IDS = 'ARRAY(SELECT m.user_id FROM org_members m WHERE m.org_id = t.id)';
