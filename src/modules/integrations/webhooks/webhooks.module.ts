import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowRunsModule } from '../../flows/flow-runs/flow-runs.module.js';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { WebhookReceiverController } from './receiver/webhook-receiver.controller.js';
import { WebhookReceiverService } from './receiver/webhook-receiver.service.js';
import { WebhookReplies } from './receiver/webhook-replies.js';
import { WebhookCodes } from './webhook-codes.js';
import { Webhook } from './webhook.resource.js';
import { WebhookController } from './webhook.controller.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** Manages webhooks and receives requests to them. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), FiringsModule, FlowRunsModule, FlowsModule],
  controllers: [WebhooksController, WebhookController, WebhookReceiverController],
  providers: [WebhooksRepository, WebhooksService, WebhookReceiverService, WebhookReplies, WebhookCodes],
})
export class WebhooksModule {}
