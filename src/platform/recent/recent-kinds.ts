import type { Principal } from '../access/principal.js';
import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../fields/fields.js';

export const RECENT_TYPES = ['application', 'device', 'flow', 'dashboard', 'organization'] as const;
export type RecentType = (typeof RECENT_TYPES)[number];

/** The schema of a list of recent items. */
export const RECENT_ITEMS: JsonSchema = {
  title: 'RecentItemList',
  type: 'object',
  required: ['itemType', 'items'],
  description: 'What was looked at last, newest first.',
  properties: {
    itemType: {
      type: 'string',
      enum: RECENT_TYPES,
      description: 'What the items are.',
    },
    parentId: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'Whose items they are.',
      example: ID_EXAMPLE,
    },
    items: {
      type: 'array',
      description: 'The items.',
      items: {
        title: 'RecentItem',
        type: 'object',
        required: ['id', 'name'],
        description: 'Something that was looked at.',
        properties: {
          id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            description: 'Its name.',
            example: 'Pump station',
          },
        },
      },
    },
  },
};

/** A kind of resource that users look at: where its rows are, and which of them somebody sees. */
export interface RecentKind {
  /** The table, with `id` and `name`. */
  table: string;
  /** The condition that the caller sees the row `t`; what it binds is added to `values`. */
  seenBy(caller: Principal, values: unknown[]): string;
}

/** The kinds that there are families for, for injection. What no family has brought cannot have been looked at. */
export const RECENT_KINDS = Symbol('recent kinds');
export type RecentKinds = Readonly<Partial<Record<RecentType, RecentKind>>>;
