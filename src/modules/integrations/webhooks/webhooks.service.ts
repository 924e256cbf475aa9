import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { FlowsService } from '../../flows/flows/flows.service.js';
import type { Webhook, WebhookPatch, WebhookPost } from './webhook.resource.js';
import { columnsOf, newWebhook } from './webhook.rules.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Manages the webhooks of applications. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly flows: FlowsService,
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<Webhook>> {
    return this.webhooks.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: WebhookPost,
    by: Author,
  ): Promise<StoredResource<Webhook>> {
    const id = newId();
    const stored = await this.webhooks.addToApplication(application, newWebhook(id, post, this.secrets), by);
    return withPassword(stored, post);
  }

  get(applicationId: string, id: string): Promise<StoredResource<Webhook>> {
    return this.webhooks.findOneOrFail(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: WebhookPatch,
    by: Author,
  ): Promise<StoredResource<Webhook>> {
    if (patch.isWebsocket !== undefined) {
      const { isWebsocket } = (await this.webhooks.findOneOrFail(applicationId, id)).toObject();
      if (isWebsocket !== patch.isWebsocket)
        throw new ValidationError('webhook.isWebsocket cannot be changed after creation');
    }
    const changes = columnsOf(id, patch, this.secrets);
    return withPassword(await this.webhooks.update(applicationId, id, changes, by), patch);
  }

  async delete(
    application: ApplicationAccess,
    id: string,
    includeWorkflows: boolean,
    by: Author,
  ): Promise<Success> {
    if (!includeWorkflows) await this.webhooks.delete(application.id, id, by);
    else
      await this.database.transaction(async (transaction) => {
        await this.webhooks.delete(application.id, id, by, transaction);
        await this.flows.deleteTriggered(application, { type: 'webhook', key: id }, by, transaction);
      });
    return new Success();
  }
}

function withPassword(
  stored: StoredResource<Webhook>,
  { basicAuthPassword }: WebhookPatch,
): StoredResource<Webhook> {
  return basicAuthPassword
    ? stored.withMembers({ basicAuthPassword: JSON.stringify(basicAuthPassword) })
    : stored;
}
