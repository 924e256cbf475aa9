import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { LinkedResourcesRepository } from './linked-resources.repository.js';
import type { CredentialLinkedResources } from './linked-resources.schemas.js';

/** Lists the resources that authenticate with a credential. */
@Injectable()
export class CredentialLinksService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly linked: LinkedResourcesRepository,
  ) {}

  /** Returns the resources that refer to the credential, one page per kind. */
  async list(application: ApplicationAccess, id: string): Promise<CredentialLinkedResources> {
    const { name } = (await this.credentials.get(application.id, id)).toObject();
    // One at a time, because the number of concurrent searches of an owner is limited.
    const flows = await this.linked.flows(application, name);
    const flowVersions = await this.linked.flowVersions(application, name);
    const integrations = await this.linked.integrations(application, name);
    return { flows, flowVersions, integrations };
  }
}
