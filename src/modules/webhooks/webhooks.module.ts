import { Module } from '@nestjs/common';
import { WebhookReceiverController } from './receiver/webhook-receiver.controller.js';
import { WebhookReceiverService } from './receiver/webhook-receiver.service.js';
import { WebhookReplies } from './receiver/webhook-replies.js';
import { WebhookController } from './webhook.controller.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Webhooks: their administration, and what receives requests for them. */
@Module({
  controllers: [WebhooksController, WebhookController, WebhookReceiverController],
  providers: [WebhooksService, WebhookReceiverService, WebhookReplies],
})
export class WebhooksModule {}
