import type { JsonSchema } from '../fields/fields.js';
import { ALL_SCOPES } from './scopes.js';

/** Schema of the scopes that a token may be granted. */
export const SCOPES: JsonSchema = {
  type: 'array',
  uniqueItems: true,
  maxItems: 500,
  items: {
    title: 'Scope',
    type: 'string',
    enum: ALL_SCOPES,
    description: 'Permission of a token: a group, `<resource>.*` or `<resource>.<action>`.',
  },
};
