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
    const [flows, flowVersions, integrations] = await Promise.all([
      this.linked.flows(application, name),
      this.linked.flowVersions(application, name),
      this.linked.integrations(application, name),
    ]);
    return { flows, flowVersions, integrations };
  }
}
