import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { FlowsService } from '../../flows/flows/flows.service.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { CONFIGS, INTEGRATION_CONFIGS, type IntegrationType } from './integration.configs.js';
import type { Integration, IntegrationPatch, IntegrationPost } from './integration.resource.js';
import { assertComplete, newConfig, replacedConfig } from './integration.rules.js';
import { IntegrationsRepository } from './integrations.repository.js';

/** Manages the integrations of applications. */
@Injectable()
export class IntegrationsService {
  constructor(
    private readonly integrations: IntegrationsRepository,
    private readonly credentials: CredentialsService,
    private readonly flows: FlowsService,
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<Integration>> {
    return this.integrations.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: IntegrationPost,
    by: Author,
  ): Promise<StoredResource<Integration>> {
    const { integrationType: type, credentialName, enabled = true } = post;
    const config = newConfig(type, post);
    assertComplete(type, config, credentialName);
    await this.assertCredential(application.id, type, credentialName);
    const id = newId();
    const row = { ...post, id, enabled, ...INTEGRATION_CONFIGS.columns(id, type, config, this.secrets) };
    return this.integrations.addToApplication(application, row, by);
  }

  get(applicationId: string, id: string): Promise<StoredResource<Integration>> {
    return this.integrations.findOneOrFail(applicationId, id);
  }

  patch(
    applicationId: string,
    id: string,
    patch: IntegrationPatch,
    by: Author,
  ): Promise<StoredResource<Integration>> {
    return this.database.transaction(async (transaction) => {
      const row = await this.integrations.lock(applicationId, id, transaction);
      const { integrationType: type } = row;
      const { credentialName = row.credentialName } = patch;
      const before = INTEGRATION_CONFIGS.stored(type, row, this.secrets);
      const config = replacedConfig(type, patch, before);
      assertComplete(type, config, credentialName);
      await this.assertCredential(applicationId, type, patch.credentialName);
      const changes = { ...patch, ...INTEGRATION_CONFIGS.columns(row.id, type, config, this.secrets) };
      return this.integrations.update(applicationId, row.id, changes, by, transaction);
    });
  }

  async delete(
    application: ApplicationAccess,
    id: string,
    includeWorkflows: boolean,
    by: Author,
  ): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      await this.integrations.delete(application.id, id, by, transaction);
      if (includeWorkflows)
        await this.flows.deleteTriggered(application, { type: 'integration', key: id }, by, transaction);
    });
    return new Success();
  }

  /** Throws `400` if the given credential does not exist or has another type than the integration needs. */
  private async assertCredential(
    applicationId: string,
    type: IntegrationType,
    name?: string | null,
  ): Promise<void> {
    const needed = CONFIGS[type].credential?.type;
    if (name && (await this.credentials.opened(applicationId, name))?.type !== needed)
      throw new ValidationError(`integration.credentialName must name a credential of the type ${needed}`);
  }
}
