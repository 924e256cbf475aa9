import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { ID_EXAMPLE, ID_PATTERN } from '../fields/fields.js';

/** One page of a collection, as it is answered. */
export interface Page<T> {
  items: T[];
  /** Items on this page. */
  count: number;
  /** Items that match, on all pages. */
  totalCount?: number;
  sortField: string;
  sortDirection: 'asc' | 'desc';
  page?: number;
  perPage?: number;
  filterField?: string;
  filter?: string;
}

/** The members of an envelope beside items and their count; which ones a collection has is the contract's business. */
const PARTS = {
  totalCount: {
    type: 'integer',
    minimum: 0,
    description: 'How many items match on all pages.',
    example: 1,
  },
  page: { type: 'integer', minimum: 0, description: 'The page, counted from 0.', example: 0 },
  perPage: { type: 'integer', minimum: 1, maximum: 1000, description: 'Items a page.', example: 100 },
  sortField: { type: 'string', description: 'The field that the items are sorted by.', example: 'name' },
  sortDirection: {
    type: 'string',
    enum: ['asc', 'desc', 'ASC', 'DESC'],
    description: 'The direction; answers say `asc` or `desc`.',
    example: 'asc',
  },
  filterField: {
    type: 'string',
    description: 'The field that was filtered, where a filter was given.',
    example: 'name',
  },
  filter: { type: 'string', description: 'The filter, where one was given.', example: 'pump*' },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'How many items were asked for.',
    example: 100,
  },
  hasMore: { type: 'boolean', description: 'Whether more items follow in this direction.', example: false },
  startingAfterId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The item that these follow, where one was named.',
    example: ID_EXAMPLE,
  },
  endingBeforeId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The item that these stand before, where one was named.',
    example: ID_EXAMPLE,
  },
  applicationId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The application that the items belong to.',
    example: ID_EXAMPLE,
  },
  deviceId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The device that the items belong to.',
    example: ID_EXAMPLE,
  },
  orgId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The organization that the items belong to.',
    example: ID_EXAMPLE,
  },
  instanceId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The instance that the items belong to.',
    example: ID_EXAMPLE,
  },
  flowId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The workflow that the items belong to, where it is one.',
    example: ID_EXAMPLE,
  },
  flowClass: {
    type: 'string',
    enum: ['cloud', 'customNode', 'edge', 'embedded', 'experience'],
    description: 'The class of the workflows, where the list is of one class.',
    example: 'cloud',
  },
  viewType: {
    type: 'string',
    enum: ['layout', 'page', 'component'],
    description: 'The type of the views, where the list is of one type.',
    example: 'page',
  },
  ownerId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The owner of the items.',
    example: ID_EXAMPLE,
  },
  ownerType: {
    type: 'string',
    enum: ['application', 'user', 'instance'],
    description: 'What the owner is.',
    example: 'user',
  },
  parentExists: {
    type: 'boolean',
    description: 'Whether there is the directory that was asked for, where one was.',
    example: true,
  },
} as const;
export type PagePart = keyof typeof PARTS;

/** Of a collection that is always answered whole. */
export const UNPAGED: readonly PagePart[] = ['sortField', 'sortDirection', 'filterField', 'filter'];
const PAGED: readonly PagePart[] = ['totalCount', 'page', 'perPage', ...UNPAGED];
const OPTIONAL: ReadonlySet<PagePart> = new Set([
  'filterField',
  'filter',
  'flowId',
  'flowClass',
  'viewType',
  'startingAfterId',
  'endingBeforeId',
  'parentExists',
]);

/**
 * The class of a collection of `item`, named `name` in the document. It is a class of its own, made at load: a generic
 * one would lose the type of its items there. `parts` are the members beside `items` and `count`.
 */
export function pageOf<T>(
  item: Type<T>,
  name: string,
  more: readonly PagePart[] = [],
  parts = PAGED,
): Type<Page<T>> {
  class Collection {}
  Object.defineProperty(Collection, 'name', { value: name });
  const member = (property: string, options: ApiPropertyOptions) =>
    ApiProperty(options)(Collection.prototype, property);
  member('items', { type: () => item, isArray: true, description: 'The items of this page.' });
  member('count', {
    type: 'integer',
    minimum: 0,
    description: 'How many items are on this page.',
    example: 1,
  });
  for (const part of [...parts, ...more]) member(part, { ...PARTS[part], required: !OPTIONAL.has(part) });
  ApiSchema({ name, description: `A page of the collection.` })(Collection);
  ApiExtraModels(item)(Collection);
  return Collection as Type<Page<T>>;
}
