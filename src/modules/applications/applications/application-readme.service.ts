import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { ApplicationReadmesRepository } from './application-readmes.repository.js';
import type { ApplicationReadme, ApplicationReadmePatch } from './application.resource.js';

/** Reads and writes the readme of an application, which is not included when applications are listed. */
@Injectable()
export class ApplicationReadmeService {
  constructor(private readonly readmes: ApplicationReadmesRepository) {}

  get(application: ApplicationAccess): Promise<StoredResource<ApplicationReadme>> {
    return this.readmes.obtain(application);
  }

  patch(
    application: ApplicationAccess,
    { content }: ApplicationReadmePatch,
    by: Author,
  ): Promise<StoredResource<ApplicationReadme>> {
    return this.readmes.change(application, content, by);
  }
}
