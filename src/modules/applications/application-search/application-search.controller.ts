import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { QueryText } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import { ApplicationSearchService } from './application-search.service.js';
import { FOUND_RESOURCES } from './found-resource.js';

class SearchQuery {
  @QueryText({
    description:
      'Text that the name contains, case-insensitive. `*` matches any text, `?` matches one character, and `\\` escapes the next character.',
    example: 'pump',
    maxLength: 255,
    required: true,
  })
  filter: string;
}

@Controller('applications/:applicationId/search')
export class ApplicationSearchController {
  constructor(private readonly search: ApplicationSearchService) {}

  @Get()
  @Operation('application.search', {
    summary: 'Searches an application by name',
    description:
      'Returns resources whose name contains the text, up to 20 per type. Searches API tokens, credentials, data tables, devices, device recipes, experience domains, experience endpoints (by route), experience groups, experience slugs, experience users (by email address), experience versions, experience views, workflows, integrations and webhooks.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FOUND_RESOURCES },
    missing: 'application',
  })
  find(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { filter }: SearchQuery,
  ): Promise<object[]> {
    return this.search.find(application, filter);
  }
}
