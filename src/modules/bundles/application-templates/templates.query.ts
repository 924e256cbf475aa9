import { listQuery, QueryId, QueryJson } from '../../../platform/lists/query-fields.js';
import { KEYWORDS } from './template.schemas.js';

export class TemplatesQuery extends listQuery({
  sort: ['name', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'authorName'],
}) {
  @QueryJson(
    { ...KEYWORDS, title: 'TemplateKeywordFilter', description: 'Keywords of templates.' },
    {
      description: 'Returns only templates that have all of these keywords.',
      example: ['industry'],
    },
  )
  keywords?: readonly string[];

  @QueryId({ description: 'Returns only templates in this category or its subcategories.' })
  categoryId?: string;
}

export class CategoriesQuery {
  @QueryId({
    description:
      'ID of the category to start from. Returns the category and its subcategories. Defaults to all categories.',
  })
  baseId?: string;
}
