import type { Computed } from '../../../platform/database/row-shape.js';
import { columnName } from '../../../platform/database/naming.js';
import { CONFIGS, CREDENTIAL_TYPES } from './credential.configs.js';

/** Configurations without what is worked out of their secrets, where some of it is. */
export const GIVEN_CONFIGS: readonly Computed[] = CREDENTIAL_TYPES.flatMap((type) => {
  const derived = Object.keys(CONFIGS[type].derived ?? {}).map((name) => `'${name}'`);
  const property = `${type}Config`;
  const sql = `t.${columnName(property)} - ARRAY[${derived.join(', ')}]`;
  return derived.length > 0 ? [{ property, kind: 'json', sql }] : [];
});
