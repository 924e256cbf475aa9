import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ApplicationSearchRepository } from './application-search.repository.js';
import { CLASS_OF } from './found-resource.js';

/** Searches the resources of applications by name. */
@Injectable()
export class ApplicationSearchService {
  constructor(private readonly search: ApplicationSearchRepository) {}

  async find(application: ApplicationAccess, filter: string): Promise<object[]> {
    const found = await this.search.search(application, filter);
    return found.map(({ type, id, name, kind }) => ({
      _type: type,
      id,
      name,
      ...(kind === null ? {} : { [CLASS_OF[type]!]: kind }),
    }));
  }
}
