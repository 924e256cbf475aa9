import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Webhook, WebhookPatch } from './webhook.resource.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhookDeleteQuery } from './webhook.query.js';

@ChangesSites()
@Controller('applications/:applicationId/webhooks/:webhookId')
export class WebhookController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('webhook.get', {
    summary: 'Returns a webhook',
    description: 'The password that callers must send is not included.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Webhook },
    missing: 'webhook',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('webhookId') webhookId: string,
  ): Promise<StoredResource<Webhook>> {
    return this.webhooks.get(id, webhookId);
  }

  @Patch()
  @Operation('webhook.patch', {
    summary: 'Updates a webhook',
    description:
      'Omitted properties keep their value. An empty username, password or verification code removes it. The URL and `isWebsocket` cannot be changed. The password is only included in the response to the request that sets it.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { webhook: WebhookPatch },
    example: { responseCode: 204 },
    returns: { 200: Webhook },
    missing: 'webhook',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('webhookId') webhookId: string,
    @Body() body: WebhookPatch,
    @By() by: Author,
  ): Promise<StoredResource<Webhook>> {
    return this.webhooks.patch(id, webhookId, body, by);
  }

  @Delete()
  @Operation('webhook.delete', {
    summary: 'Deletes a webhook',
    description:
      'Permanently deletes the webhook and its URL. With `includeWorkflows`, also deletes the workflows that have a trigger for it in the default version or the development version, with all of their versions; returns `400` if there are more than 1,000. Otherwise the workflows are kept, and the trigger no longer fires.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'webhook',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('webhookId') webhookId: string,
    @Query() { includeWorkflows }: WebhookDeleteQuery,
    @By() by: Author,
  ): Promise<Success> {
    return this.webhooks.delete(application, webhookId, includeWorkflows, by);
  }
}
