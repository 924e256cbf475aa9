import type { Computed } from '../../../platform/database/row-shape.js';
import { columnName } from '../../../platform/database/naming.js';
import { CREDENTIAL_TYPES } from './credential-types.js';
import { CONFIGS } from './credential.configs.js';

/** Configurations without the properties derived from secrets, for the types that have any. */
export const GIVEN_CONFIGS: readonly Computed[] = CREDENTIAL_TYPES.flatMap((type) => {
  const derived = Object.keys(CONFIGS[type].derived ?? {}).map((name) => `'${name}'`);
  const property = `${type}Config`;
  const sql = `t.${columnName(property)} - ARRAY[${derived.join(', ')}]`;
  return derived.length > 0 ? [{ property, kind: 'json', sql }] : [];
});
