import { applicationLimitSql, lockedSql, MAX_INSTANCES } from '../memberships.js';
import type { PrincipalKind } from './kind.js';

const INSTANCES = `(SELECT coalesce(json_agg(place), '[]') FROM (
    SELECT json_build_object('instanceId', i.instance_id, 'role', i.role, 'locked', ${lockedSql('n.mfa_mode', 'i.role', 'u.id')}) AS place
    FROM instance_members i JOIN instances n ON n.id = i.instance_id WHERE i.user_id = u.id
    ORDER BY i.instance_id LIMIT ${MAX_INSTANCES}) places)`;

const READING = {
  name: 'user',
  sql: `json_build_object('name', u.email, 'isMember', EXISTS (SELECT FROM org_members m WHERE m.user_id = u.id),
      'instances', ${INSTANCES}, 'applicationLimit', ${applicationLimitSql('u')},
      'cutoff', (extract(epoch FROM u.token_cutoff) * 1000)::bigint)`,
  from: 'users u WHERE u.id = $1 AND u.permanent_deletion IS NULL',
};

/** A user, in person or through an API token. */
export const USER = {
  reading: () => READING,
  signsIn: true,
  hasApiTokens: true,
  hasAccount: true,
  requestLimit: 'owner',
  actorType: 'User',
} as const satisfies PrincipalKind;
