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
      'What the name has, upper or lower case; `*` stands for any text, `?` for one character, `\\` takes the next one as it is.',
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
    summary: 'Finds what an application holds by name',
    description:
      'API tokens, credentials, data tables, devices, device recipes, experience endpoints by their routes, experience groups, experience users by their addresses, workflows and webhooks, at most 20 of each, whose name has the text anywhere. Needs the role `view` on the application.',
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
