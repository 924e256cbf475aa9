import { Controller, Get, Query } from '@nestjs/common';
import { USER_LIST } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { TemplateCatalogue } from './catalogue.service.js';
import {
  ApplicationTemplateCategories,
  ApplicationTemplates,
  TemplateKeywords,
} from './template.resource.js';
import { CategoriesQuery, TemplatesQuery } from './templates.query.js';

@Controller('applicationTemplates')
export class TemplatesController {
  constructor(private readonly catalogue: TemplateCatalogue) {}

  @Get()
  @Operation('applicationTemplates.get', {
    summary: 'Returns the templates of the catalogue',
    description:
      'Applications can be made from them, or get what they hold. `keywords` are words that a template must have, all of them; a `categoryId` finds what is in the category and in those that are part of it. Whoever runs the platform puts the catalogue together.',
    scopes: USER_LIST,
    returns: { 200: ApplicationTemplates },
  })
  list(@Query() query: TemplatesQuery): ApplicationTemplates {
    return this.catalogue.list(query);
  }

  @Get('categories')
  @Operation('applicationTemplates.getCategories', {
    summary: 'Returns the categories of templates',
    description:
      'A tree: each names by `parentId` the one that it is part of, and comes after it. With `baseId` it is that category and all that are part of it; one that is none is 400.',
    scopes: USER_LIST,
    returns: { 200: ApplicationTemplateCategories },
  })
  categories(
    @Query() { baseId }: CategoriesQuery,
  ): Omit<ApplicationTemplateCategories, 'sortField' | 'sortDirection'> {
    return this.catalogue.categoriesFrom(baseId);
  }

  @Get('keywords')
  @Operation('applicationTemplates.getUniqueKeywords', {
    summary: 'Returns the keywords of templates',
    description: 'Each once, in alphabetical order; the first hundred.',
    scopes: USER_LIST,
    returns: { 200: TemplateKeywords },
  })
  keywords(): TemplateKeywords {
    return this.catalogue.keywords();
  }
}
