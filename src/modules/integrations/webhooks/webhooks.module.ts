import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { ReceivedWebhooks } from './receiver/received-webhooks.js';
import { WebhookReceiverController } from './receiver/webhook-receiver.controller.js';
import { WebhookReceiverService } from './receiver/webhook-receiver.service.js';
import { WebhookSockets } from './receiver/webhook-sockets.js';
import { WebhookCodes } from './webhook-codes.js';
import { Webhook } from './webhook.resource.js';
import { WebhookController } from './webhook.controller.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** Manages webhooks and receives requests to them. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), FiringsModule, FlowsModule],
  controllers: [WebhooksController, WebhookController, WebhookReceiverController],
  providers: [
    WebhooksRepository,
    WebhooksService,
    ReceivedWebhooks,
    WebhookReceiverService,
    WebhookSockets,
    WebhookCodes,
  ],
})
export class WebhooksModule {}
