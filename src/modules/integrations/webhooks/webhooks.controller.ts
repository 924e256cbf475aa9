import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Webhook, WebhookPost, Webhooks } from './webhook.resource.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhooksQuery } from './webhooks.query.js';

@Controller('applications/:applicationId/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('webhooks.get', {
    summary: 'Returns the webhooks of an application',
    description: 'Without the passwords that callers must send. Needs the role `view` on the application.',
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
      'Requests of any verb to `/webhooks/{token}`, and to paths below it, then trigger the workflows of the application that have a trigger for the webhook. The address cannot be guessed; whoever is to call it must be told, and `verificationType` or a user and password keep others out. Callers get `responseCode` at once, or what a workflow replies where `waitForReply` is true. The limit `webhook` of the owner counts the webhooks of each application. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<Webhook>> {
    return this.webhooks.create(application, body, by);
  }
}
