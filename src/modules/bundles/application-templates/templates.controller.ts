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
    summary: 'Lists the application templates',
    description:
      'Returns a page of templates. Templates can be used to create applications or applied to existing ones. With `keywords`, only templates with all of these keywords are returned. With `categoryId`, templates of the category and its subcategories are returned. The operator of the platform maintains the catalog.',
    scopes: USER_LIST,
    returns: { 200: ApplicationTemplates },
  })
  list(@Query() query: TemplatesQuery): Promise<ApplicationTemplates> {
    return this.catalogue.list(query);
  }

  @Get('categories')
  @Operation('applicationTemplates.getCategories', {
    summary: 'Lists the template categories',
    description:
      'Returns the category tree as a list in which every category follows its parent, referenced by `parentId`. With `baseId`, only this category and its subcategories are returned. Returns `400` if the category does not exist.',
    scopes: USER_LIST,
    returns: { 200: ApplicationTemplateCategories },
  })
  categories(
    @Query() { baseId }: CategoriesQuery,
  ): Promise<Omit<ApplicationTemplateCategories, 'sortField' | 'sortDirection'>> {
    return this.catalogue.categoriesFrom(baseId);
  }

  @Get('keywords')
  @Operation('applicationTemplates.getUniqueKeywords', {
    summary: 'Lists the template keywords',
    description: 'Returns distinct keywords in alphabetical order, up to 100.',
    scopes: USER_LIST,
    returns: { 200: TemplateKeywords },
  })
  keywords(): Promise<TemplateKeywords> {
    return this.catalogue.keywords();
  }
}
