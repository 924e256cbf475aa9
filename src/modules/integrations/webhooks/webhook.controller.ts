import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Webhook, WebhookPatch } from './webhook.resource.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhookDeleteQuery } from './webhook.query.js';

@Controller('applications/:applicationId/webhooks/:webhookId')
export class WebhookController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('webhook.get', {
    summary: 'Returns a webhook',
    description: 'Without the password that callers must send. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Webhook },
    missing: 'webhook',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('webhookId') webhookId: string,
  ): Promise<Stored<Webhook>> {
    return this.webhooks.get(id, webhookId);
  }

  @Patch()
  @Operation('webhook.patch', {
    summary: 'Changes a webhook',
    description:
      'What is absent stays as it is; an empty user, password or verification code is none. Its address never changes, and whether it takes websockets is fixed when it is made. A password is in the answer that sets it and in no other. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<Webhook>> {
    return this.webhooks.patch(id, webhookId, body, by);
  }

  @Delete()
  @Operation('webhook.delete', {
    summary: 'Deletes a webhook',
    description:
      'Its address is gone for good. With `includeWorkflows` the workflows go too, with all of their versions, that have a trigger for it in the version that runs or the one that is being developed; more than 1,000 are 400. Otherwise they stay, and that trigger never fires again. Needs the role `collaborate` on the application.',
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
