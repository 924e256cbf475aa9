import type { PrincipalKind } from './kind.js';

const READING = {
  name: 'instance',
  sql: `json_build_object('name', u.name,
      'instances', json_build_array(json_build_object('instanceId', u.id, 'role', 'admin')))`,
  from: 'instances u WHERE u.id = $1',
};

/** An instance, through its API tokens. It administers itself. */
export const INSTANCE = {
  reading: () => READING,
  signsIn: false,
  hasApiTokens: true,
  hasAccount: false,
  requestLimit: 'owner',
  actorType: 'Instance',
} as const satisfies PrincipalKind;
