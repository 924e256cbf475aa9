import type { Principal } from '../access/principal.js';
import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../fields/fields.js';
import { notYet } from '../not-yet.js';

export const RECENT_TYPES = [
  'application',
  'device',
  'flow',
  notYet('dashboards', 'dashboard'),
  'organization',
] as const;
export type RecentType = (typeof RECENT_TYPES)[number];

/** Schema of a list of recent items. */
export const RECENT_ITEMS: JsonSchema = {
  title: 'RecentItemList',
  type: 'object',
  required: ['itemType', 'items'],
  description: 'Recently viewed items, newest first.',
  properties: {
    itemType: {
      type: 'string',
      enum: RECENT_TYPES,
      description: 'Type of the items.',
    },
    parentId: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'ID of the resource that the items belong to.',
      example: ID_EXAMPLE,
    },
    items: {
      type: 'array',
      description: 'Recently viewed items, newest first.',
      items: {
        title: 'RecentItem',
        type: 'object',
        required: ['id', 'name'],
        description: 'A recently viewed item.',
        properties: {
          id: {
            type: 'string',
            pattern: ID_PATTERN,
            description: 'ID of the item, 24 hexadecimal digits.',
            example: ID_EXAMPLE,
          },
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            description: 'Display name of the item.',
            example: 'Pump station',
          },
        },
      },
    },
  },
};

/** A kind of resource that users view: its table, and the rows visible to a caller. */
export interface RecentKind {
  /** Table with the columns `id` and `name`. */
  table: string;
  /** Returns the condition that the row `t` is visible to the caller. Adds its parameters to `values`. */
  seenBy(caller: Principal, values: unknown[]): string;
}

/** Injection token of the kinds of the registered resource families. */
export const RECENT_KINDS = Symbol('recent kinds');
export type RecentKinds = Readonly<Partial<Record<RecentType, RecentKind>>>;
