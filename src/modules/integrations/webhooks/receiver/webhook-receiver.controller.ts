import { All, Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Unlisted } from '../../../../platform/server/unlisted.js';
import { upgradeOf } from '../../../../platform/server/upgrades.js';
import { sendAnswer } from './send-answer.js';
import { WebhookReceiverService } from './webhook-receiver.service.js';
import { WebhookSockets } from './webhook-sockets.js';

/** URLs of webhooks. Callers are external services, authorized by the token in the URL, and not users of the API. */
@Controller('webhooks')
export class WebhookReceiverController {
  constructor(
    private readonly receiver: WebhookReceiverService,
    private readonly sockets: WebhookSockets,
  ) {}

  @All([':token', ':token/*path'])
  @Unlisted()
  async receive(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const upgrade = upgradeOf(request);
    if (upgrade) return this.sockets.accept(token, request, upgrade);
    sendAnswer(response, await this.receiver.receive(token, request, response));
  }
}
