import { listQuery, QueryId, QueryJson } from '../../../platform/lists/query-fields.js';
import { KEYWORDS } from './template.schemas.js';

export class TemplatesQuery extends listQuery({
  sort: ['name', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'authorName'],
}) {
  @QueryJson(KEYWORDS, {
    description: 'Only templates that have all of these keywords.',
    example: ['industry'],
  })
  keywords?: readonly string[];

  @QueryId({ description: 'Only templates in this category, or in one that is part of it.' })
  categoryId?: string;
}

export class CategoriesQuery {
  @QueryId({
    description: 'The category to start from: it and all that are part of it. Absent, all there are.',
  })
  baseId?: string;
}
