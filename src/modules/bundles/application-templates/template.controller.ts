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
    summary: 'Returns an application template',
    description: 'Returns the template with its readme and the number of resources of each kind.',
    scopes: USER_READ,
    returns: { 200: ApplicationTemplate },
    missing: 'template',
  })
  get(@Param('templateId') templateId: string): Promise<ApplicationTemplate> {
    return this.catalogue.obtain(templateId);
  }
}
