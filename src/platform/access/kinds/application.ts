import { applicationSql, existingApplicationSql, type PrincipalKind } from './kind.js';

const READING = {
  name: 'application',
  sql: `json_build_object('name', u.name, 'application', ${applicationSql('u')})`,
  from: `applications u WHERE u.id = $1 AND ${existingApplicationSql('u')}`,
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
