import { Module } from '@nestjs/common';
import { TemplateCatalogue } from './catalogue.service.js';
import { TemplateController } from './template.controller.js';
import { TemplatesController } from './templates.controller.js';

/** Application templates. */
@Module({
  controllers: [TemplatesController, TemplateController],
  providers: [TemplateCatalogue],
  exports: [TemplateCatalogue],
})
export class ApplicationTemplatesModule {}
