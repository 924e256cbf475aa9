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

const OWN = { column: false } as const;

@ApiSchema({
  name: 'ApplicationTemplate',
  description: 'An application that others can be made from.',
})
export class ApplicationTemplate {
  @IdField({
    ...OWN,
    required: true,
    description: 'The id, 24 hexadecimal digits. It stays while its place in the catalogue does.',
  })
  id: string;

  @AliasField('template')
  templateId: string;

  @DateField({ ...OWN, required: true, description: 'When it was made.' })
  creationDate: string;

  @DateField({ ...OWN, required: true, description: 'When it was last changed.' })
  lastUpdated: string;

  @StringField({
    ...OWN,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump station',
  })
  name: string;

  @StringField({
    ...OWN,
    maxLength: 1024,
    description: 'What it is.',
    example: 'Three pumps and the station that sums them up.',
  })
  description?: string;

  @StringField({ ...OWN, maxLength: 255, description: 'Who made it.', example: 'Ada Lovelace' })
  authorName?: string;

  @StringField({
    ...OWN,
    maxLength: 1024,
    description: 'Where to find them.',
    example: 'https://example.com/ada',
  })
  authorUrl?: string;

  @StringField({
    ...OWN,
    maxLength: 1024,
    description: 'A picture of it.',
    example: 'https://example.com/pumps.png',
  })
  imageUrl?: string;

  @StringField({
    ...OWN,
    maxLength: 1024,
    description: 'Where to try it.',
    example: 'https://example.com/pumps',
  })
  templateUrl?: string;

  @JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    {
      ...OWN,
      required: true,
      description: 'The categories that it is in, the widest first.',
      example: [ID_EXAMPLE],
    },
  )
  categoryIds: string[];

  @JsonField(KEYWORDS, {
    ...OWN,
    required: true,
    description: 'What it is about.',
    example: ['industry', 'alarms'],
  })
  keywords: string[];

  @StringField({
    ...OWN,
    required: true,
    maxLength: 131_072,
    description: 'What its user should know, Markdown.',
    example: '# Pump station',
  })
  readme: string;

  @BooleanField({
    ...OWN,
    required: true,
    description: 'Whether everybody may use it, which is so for all of a catalogue.',
  })
  public: boolean;

  @JsonField(TEMPLATE_SUMMARY, {
    ...OWN,
    required: true,
    description: 'How many resources of each kind it holds.',
    example: { deviceCount: 4, flowCount: 3 },
  })
  summary: Record<SummaryCount, number>;
}

@ApiSchema({ name: 'ApplicationTemplates', description: 'A page of templates.' })
export class ApplicationTemplates extends pageOf(ApplicationTemplate, 'TemplatesPage') {
  @JsonField(KEYWORDS, {
    ...OWN,
    description: 'The keywords, where some were asked for.',
    example: ['industry'],
  })
  keywords?: readonly string[];

  @IdField({ ...OWN, description: 'The category, where one was asked for.' })
  categoryId?: string;
}

@ApiSchema({ name: 'ApplicationTemplateCategory', description: 'A part of the catalogue.' })
export class ApplicationTemplateCategory {
  @IdField({
    ...OWN,
    required: true,
    description: 'The id, 24 hexadecimal digits. It stays while its place in the catalogue does.',
  })
  id: string;

  @IdField({ ...OWN, description: 'The category that it is a part of; absent at the top.' })
  parentId?: string;

  @StringField({
    ...OWN,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Industry',
  })
  name: string;

  @StringField({ ...OWN, maxLength: 32_767, description: 'What is in it.', example: 'Machines and meters.' })
  description?: string;

  @JsonField(CATEGORY_TYPES, {
    ...OWN,
    description: 'The kinds of resources that are found in it beside applications, where it is for these.',
    example: ['CustomNode'],
  })
  resourceTypes?: string[];
}

@ApiSchema({
  name: 'ApplicationTemplateCategories',
  description: 'Categories, each before those that are part of it.',
})
export class ApplicationTemplateCategories extends pageOf(
  ApplicationTemplateCategory,
  'CategoriesPage',
  [],
  ['totalCount'],
) {
  @IdField({ ...OWN, description: 'The category to start from, where one was asked for.' })
  baseId?: string;
}

@ApiSchema({ name: 'TemplateKeywords', description: 'Keywords of templates.' })
export class TemplateKeywords {
  @JsonField(KEYWORDS, {
    ...OWN,
    required: true,
    description: 'Each once, in alphabetical order.',
    example: ['industry'],
  })
  keywords: string[];
}
