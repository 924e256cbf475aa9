import { applicationSql, existingApplicationSql, type PrincipalKind } from './kind.js';

/** Scope of workflows: all operations on resources of an application. */
export const FLOW_SCOPE = 'all.Application';

const READING = {
  name: 'flow',
  sql: `json_build_object('name', f.name, 'application', ${applicationSql('u')})`,
  from: `flows f JOIN applications u ON u.id = f.application_id WHERE f.id = $1 AND ${existingApplicationSql('u')}`,
};

/** A workflow, which calls operations in the process. It has no tokens, so no request over HTTP is one of it. */
export const FLOW = {
  reading: () => READING,
  signsIn: false,
  hasApiTokens: false,
  hasAccount: false,
  roleInside: 'collaborate',
  actorType: 'Flow',
} as const satisfies PrincipalKind;
