import { ApiSchema } from '@nestjs/swagger';
import {
  ID_EXAMPLE,
  ID_PATTERN,
  BooleanField,
  DateField,
  IdField,
  JsonField,
  StringField,
  AliasField,
} from '../../../platform/fields/fields.js';
import { pageOf } from '../../../platform/lists/page.js';
import { CATEGORY_TYPES, KEYWORDS, TEMPLATE_SUMMARY, type SummaryCount } from './template.schemas.js';

const NO_COLUMN = { column: false } as const;

@ApiSchema({
  name: 'ApplicationTemplate',
  description: 'Template for new applications.',
})
export class ApplicationTemplate {
  @IdField({
    ...NO_COLUMN,
    required: true,
    description: 'Unique ID of the template, derived from its path in the catalog.',
  })
  id: string;

  @AliasField('template')
  templateId: string;

  @DateField({ ...NO_COLUMN, required: true, description: 'Time the template was created, in UTC.' })
  creationDate: string;

  @DateField({ ...NO_COLUMN, required: true, description: 'Time the template was last updated, in UTC.' })
  lastUpdated: string;

  @StringField({
    ...NO_COLUMN,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the template.',
    example: 'Pump station',
  })
  name: string;

  @StringField({
    ...NO_COLUMN,
    maxLength: 1024,
    description: 'Short description of the template.',
    example: 'Three pumps and a station that aggregates them.',
  })
  description?: string;

  @StringField({
    ...NO_COLUMN,
    maxLength: 255,
    description: 'Name of the author of the template.',
    example: 'Ada Lovelace',
  })
  authorName?: string;

  @StringField({
    ...NO_COLUMN,
    maxLength: 1024,
    description: "URL of the author's website.",
    example: 'https://example.com/ada',
  })
  authorUrl?: string;

  @StringField({
    ...NO_COLUMN,
    maxLength: 1024,
    description: 'URL of an image of the template.',
    example: 'https://example.com/pumps.png',
  })
  imageUrl?: string;

  @StringField({
    ...NO_COLUMN,
    maxLength: 1024,
    description: 'URL at which the template can be tried out.',
    example: 'https://example.com/pumps',
  })
  templateUrl?: string;

  @JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    {
      ...NO_COLUMN,
      required: true,
      description: "IDs of the template's categories, from the top level down.",
      example: [ID_EXAMPLE],
    },
  )
  categoryIds: string[];

  @JsonField(KEYWORDS, {
    ...NO_COLUMN,
    required: true,
    description: 'Keywords that describe the template.',
    example: ['industry', 'alarms'],
  })
  keywords: string[];

  @StringField({
    ...NO_COLUMN,
    required: true,
    maxLength: 131_072,
    description: 'Instructions for users of the template, in Markdown.',
    example: '# Pump station',
  })
  readme: string;

  @BooleanField({
    ...NO_COLUMN,
    required: true,
    description: 'Whether all users can use the template. Always `true` for templates of a catalog.',
  })
  public: boolean;

  @JsonField(TEMPLATE_SUMMARY, {
    ...NO_COLUMN,
    required: true,
    description: 'Number of resources of each kind in the template.',
    example: { deviceCount: 4, flowCount: 3 },
  })
  summary: Record<SummaryCount, number>;
}

@ApiSchema({ name: 'ApplicationTemplates', description: 'Page of application templates.' })
export class ApplicationTemplates extends pageOf(ApplicationTemplate, 'TemplatesPage') {
  @JsonField(KEYWORDS, {
    ...NO_COLUMN,
    description: 'Keywords of the query, if any.',
    example: ['industry'],
  })
  keywords?: readonly string[];

  @IdField({ ...NO_COLUMN, description: 'Category ID of the query, if any.' })
  categoryId?: string;
}

@ApiSchema({ name: 'ApplicationTemplateCategory', description: 'Category of the template catalog.' })
export class ApplicationTemplateCategory {
  @IdField({
    ...NO_COLUMN,
    required: true,
    description: 'Unique ID of the category, derived from its path in the catalog.',
  })
  id: string;

  @IdField({ ...NO_COLUMN, description: 'ID of the parent category; absent for root categories.' })
  parentId?: string;

  @StringField({
    ...NO_COLUMN,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the category.',
    example: 'Industry',
  })
  name: string;

  @StringField({
    ...NO_COLUMN,
    maxLength: 32_767,
    description: 'Description of the category.',
    example: 'Machines and meters.',
  })
  description?: string;

  @JsonField(CATEGORY_TYPES, {
    ...NO_COLUMN,
    description: 'Types of the resources in the category other than applications, if it contains any.',
    example: ['CustomNode'],
  })
  resourceTypes?: string[];
}

@ApiSchema({
  name: 'ApplicationTemplateCategories',
  description: 'Template categories, parents before children.',
})
export class ApplicationTemplateCategories extends pageOf(
  ApplicationTemplateCategory,
  'CategoriesPage',
  [],
  ['totalCount'],
) {
  @IdField({ ...NO_COLUMN, description: 'ID of the category that the list starts from, if requested.' })
  baseId?: string;
}

@ApiSchema({ name: 'TemplateKeywords', description: 'Keywords of all application templates.' })
export class TemplateKeywords {
  @JsonField(KEYWORDS, {
    ...NO_COLUMN,
    required: true,
    description: 'Distinct keywords in alphabetical order.',
    example: ['industry'],
  })
  keywords: string[];
}
