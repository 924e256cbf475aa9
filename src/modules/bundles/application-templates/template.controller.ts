import { Controller, Get, Param } from '@nestjs/common';
import { USER_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { TemplateCatalogue } from './catalogue.service.js';
import { ApplicationTemplate } from './template.resource.js';

@Controller('applicationTemplates/:templateId')
export class TemplateController {
  constructor(private readonly catalogue: TemplateCatalogue) {}

  @Get()
  @Operation('applicationTemplate.get', {
    summary: 'Returns a template',
    description: 'With its readme and how much of everything it holds.',
    scopes: USER_READ,
    returns: { 200: ApplicationTemplate },
    missing: 'template',
  })
  get(@Param('templateId') templateId: string): ApplicationTemplate {
    return this.catalogue.obtain(templateId);
  }
}
