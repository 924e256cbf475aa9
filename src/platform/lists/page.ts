import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { ID_EXAMPLE, ID_PATTERN } from '../fields/fields.js';
import { SORT_DIRECTION } from './list-query.js';

/** A page of a collection, as returned. */
export interface Page<T> {
  items: T[];
  /** Number of items on this page. */
  count: number;
  /** Number of matching items on all pages. */
  totalCount?: number;
  sortField: string;
  sortDirection: 'asc' | 'desc';
  page?: number;
  perPage?: number;
  filterField?: string;
  filter?: string;
}

/** Members of a collection in addition to its items and their count. The API contract determines which ones it has. */
const PAGE_PARTS = {
  totalCount: {
    type: 'integer',
    minimum: 0,
    description: 'Number of matching items on all pages.',
    example: 1,
  },
  page: { type: 'integer', minimum: 0, description: 'Page number, starting at 0.', example: 0 },
  perPage: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'Maximum number of items per page.',
    example: 100,
  },
  sortField: { type: 'string', description: 'Field by which the items are sorted.', example: 'name' },
  sortDirection: {
    ...SORT_DIRECTION,
    description: 'Sort direction, in lower case in responses.',
    example: 'asc',
  },
  filterField: {
    type: 'string',
    description: 'Field to which the filter applies, if a filter was given.',
    example: 'name',
  },
  filter: { type: 'string', description: 'Filter, if one was given.', example: 'pump*' },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'Requested maximum number of items.',
    example: 100,
  },
  hasMore: { type: 'boolean', description: 'Whether more items follow in this direction.', example: false },
  startingAfterId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the item that precedes this page, if requested.',
    example: ID_EXAMPLE,
  },
  endingBeforeId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the item that follows this page, if requested.',
    example: ID_EXAMPLE,
  },
  applicationId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the application of the items.',
    example: ID_EXAMPLE,
  },
  deviceId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the device of the items.',
    example: ID_EXAMPLE,
  },
  orgId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the organization of the items.',
    example: ID_EXAMPLE,
  },
  instanceId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the instance of the items.',
    example: ID_EXAMPLE,
  },
  flowId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the workflow of the items, if they belong to one.',
    example: ID_EXAMPLE,
  },
  flowClass: {
    type: 'string',
    enum: ['cloud', 'customNode', 'edge', 'embedded', 'experience'],
    description: 'Class of the workflows, if the list is restricted to a class.',
    example: 'cloud',
  },
  viewType: {
    type: 'string',
    enum: ['layout', 'page', 'component'],
    description: 'Type of the views, if the list is restricted to a type.',
    example: 'page',
  },
  ownerId: {
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the owner of the items.',
    example: ID_EXAMPLE,
  },
  ownerType: {
    type: 'string',
    title: 'ApiTokenOwnerType',
    enum: ['application', 'user', 'instance'],
    description: 'Type of the owner of the items.',
    example: 'user',
  },
  parentExists: {
    type: 'boolean',
    description: 'Whether the requested directory exists, if one was requested.',
    example: true,
  },
} as const;
export type PagePart = keyof typeof PAGE_PARTS;

/** Members of a collection without pagination. */
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
 * Creates the class of a collection of `item`, documented as `name`. A separate class is created at load time because a
 * generic class would lose the type of its items. `parts` are its members in addition to `items` and `count`.
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
  member('items', { type: () => item, isArray: true, description: 'Items of this page.' });
  member('count', {
    type: 'integer',
    minimum: 0,
    description: 'Number of items on this page.',
    example: 1,
  });
  for (const part of [...parts, ...more])
    member(part, { ...PAGE_PARTS[part], required: !OPTIONAL.has(part) });
  ApiSchema({ name, description: `A page of the collection.` })(Collection);
  ApiExtraModels(item)(Collection);
  return Collection as Type<Page<T>>;
}
