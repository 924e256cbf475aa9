import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { Webhook, WebhookPost, Webhooks } from './webhook.resource.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhooksQuery } from './webhooks.query.js';

@ChangesSites()
@Controller('applications/:applicationId/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('webhooks.get', {
    summary: 'Lists the webhooks of an application',
    description: 'The passwords that callers must send are not included.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: Webhooks },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: WebhooksQuery,
  ): Promise<StoredPage<Webhook>> {
    return this.webhooks.list(application, list);
  }

  @Post()
  @Operation('webhooks.post', {
    summary: 'Creates a webhook',
    description:
      "Creates a webhook. Requests of any method to `/webhooks/{token}`, and to paths below it, trigger the workflows of the application that have a trigger for the webhook. The URL cannot be guessed; share it with the caller only. To authenticate callers, set `verificationType`, or a username and password. The response is sent immediately with `responseCode`; if `waitForReply` is true, it is the reply of a workflow. The owner's limit `webhook` applies to the webhooks of each application.",
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { webhook: WebhookPost },
    example: { name: 'Orders' },
    returns: { 201: Webhook },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: WebhookPost,
    @By() by: Author,
  ): Promise<StoredResource<Webhook>> {
    return this.webhooks.create(application, body, by);
  }
}
