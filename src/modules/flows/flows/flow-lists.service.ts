import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { StoredPage } from '../../../platform/responses/stored-resources.js';
import { FlowListsRepository } from './flow-lists.repository.js';
import type { FlowVersion } from './flow-version.resource.js';
import type { Flow } from './flow.resource.js';
import type { FlowsByVersionQuery, FlowsQuery } from './flows.query.js';

/** Lists the workflows of an application. */
@Injectable()
export class FlowListsService {
  constructor(private readonly lists: FlowListsRepository) {}

  async flows(application: ApplicationAccess, query: FlowsQuery): Promise<StoredPage<Flow>> {
    const { items, envelope } = await this.lists.flows(application, query);
    const { flowClass, list } = query;
    return new StoredPage(items, list.condition ? envelope : { ...envelope, flowClass });
  }

  async byVersion(
    application: ApplicationAccess,
    query: FlowsByVersionQuery,
  ): Promise<StoredPage<FlowVersion>> {
    if (query.version === 'default')
      throw new ValidationError(
        'version must be develop or the name of versions; default is not a version name',
      );
    return query.version === 'develop'
      ? this.lists.developVersions(application, query)
      : this.lists.namedVersions(application, query);
  }
}
