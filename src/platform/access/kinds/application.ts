import { applicationSql, type PrincipalKind } from './kind.js';

const READING = {
  name: 'application',
  sql: `json_build_object('name', u.name, 'application', ${applicationSql('u')})`,
  from: `applications u WHERE u.id = $1 AND u.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM users d WHERE d.id = u.owner_id AND d.permanent_deletion IS NOT NULL)
      AND NOT EXISTS (SELECT FROM orgs d WHERE d.id = u.owner_id AND d.deleted_at IS NOT NULL)`,
};

/** An application, through its API tokens. */
export const APPLICATION = {
  reading: () => READING,
  signsIn: false,
  hasApiTokens: true,
  hasAccount: false,
  roleInside: 'admin',
  requestLimit: 'owner',
  actorType: 'Application',
} as const satisfies PrincipalKind;
