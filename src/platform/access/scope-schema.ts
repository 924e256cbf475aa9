import type { JsonSchema } from '../fields/fields.js';
import { ALL_SCOPES } from './scopes.js';

/** The scopes that a token may be given. */
export const SCOPES: JsonSchema = {
  type: 'array',
  uniqueItems: true,
  maxItems: 500,
  items: {
    title: 'Scope',
    type: 'string',
    enum: ALL_SCOPES,
    description: 'What a token may do: a group, `<resource>.*` or `<resource>.<action>`.',
  },
};
