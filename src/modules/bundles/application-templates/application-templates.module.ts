import { Module } from '@nestjs/common';
import { TemplateCatalogue } from './catalogue.service.js';
import { TemplateController } from './template.controller.js';
import { TemplatesController } from './templates.controller.js';

/** Templates of applications. */
@Module({
  controllers: [TemplatesController, TemplateController],
  providers: [TemplateCatalogue],
  exports: [TemplateCatalogue],
})
export class ApplicationTemplatesModule {}
