import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { WebSocketServer } from 'ws';
import { PROCESS_ROLES } from '../../../../config/config.js';
import { ApiError, NotFound, TooManyRequests, Unavailable } from '../../../../lib/errors/errors.js';
import { PeriodicTask } from '../../../../platform/database/periodic-task.js';
import { RunsIn } from '../../../../platform/processes/roles.js';
import { GracefulShutdown } from '../../../../platform/server/graceful-shutdown.js';
import type { Upgrade } from '../../../../platform/server/upgrades.js';
import { WEBHOOK_REQUEST } from '../../../../workflows/runs/causes.js';
import { Firings } from '../../../../workflows/runs/fire.js';
import { Replies } from '../../../../workflows/runs/replies.js';
import { textOf } from '../../../../workflows/runs/run-trigger.js';
import type { ReceivedWebhook } from '../webhooks.repository.js';
import { cast } from './received-body.js';
import { CLOSE, WebhookConnection, type SocketEvent } from './webhook-connection.js';
import { origin, versionOf, WebhookReceiverService } from './webhook-receiver.service.js';

/** A client of a webhook. */
interface Client {
  readonly token: string;
  readonly applicationId: string;
  readonly connection: WebhookConnection;
}

/** The request of a client. */
interface Seen {
  readonly token: string;
  /** Version of the workflows to run. */
  readonly version?: string;
  /** Part of the request that workflows receive. */
  readonly origin: object;
}

/** Maximum number of connections of an application, and of all, in a process. */
const MAX_PER_APPLICATION = 1_000;
const MAX_PER_PROCESS = 10_000;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Interval at which clients are asked for a sign of life, and webhooks are read again. */
const CHECK_MS = 30_000;
const RETRY_SECONDS = 10;
const GONE = 'The webhook no longer exists or is disabled';

/**
 * WebSocket connections to webhooks. Connections, messages and disconnections run the workflows that listen to the
 * webhook, and workflows send messages by the ID of the connection. A connection ends when its webhook is deleted or
 * disabled, the client does not respond, or the process stops.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class WebhookSockets extends PeriodicTask {
  private readonly log = new Logger(WebhookSockets.name);
  private readonly clients = new Set<Client>();
  /** Compressed messages are not accepted, because a small one can become very large. */
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  private isClosing = false;

  constructor(
    private readonly receiver: WebhookReceiverService,
    private readonly firings: Firings,
    private readonly replies: Replies,
    shutdown: GracefulShutdown,
  ) {
    super(CHECK_MS, 'Could not check the WebSocket connections to webhooks');
    shutdown.onClosing(() => this.closeAll());
  }

  /** Accepts a connection. Throws if the request is rejected. */
  async accept(token: string, request: Request, upgrade: Upgrade): Promise<void> {
    const webhook = await this.receiver.admit(token, request);
    this.assertRoom(webhook.applicationId);
    const { socket, head } = upgrade;
    if (socket.destroyed) return;
    const seen = { token, version: versionOf(request), origin: origin(request) };
    upgrade.take();
    this.server.handleUpgrade(request, socket, head, (accepted) => {
      upgrade.switched();
      const replyId = this.replies.newReplyId(webhook.id);
      const connection = new WebhookConnection(
        accepted,
        (event) => this.store(seen, replyId, event),
        (error) => this.codeOf(error),
      );
      const client = { token, applicationId: webhook.applicationId, connection };
      this.clients.add(client);
      const silence = this.replies.listen(webhook.applicationId, replyId, (message) =>
        connection.send(message),
      );
      accepted.once('close', () => {
        silence();
        this.clients.delete(client);
      });
    });
  }

  override async onModuleDestroy(): Promise<void> {
    const open = [...this.clients].map(({ connection }) => connection.done);
    this.closeAll();
    await super.onModuleDestroy();
    await Promise.all(open);
  }

  /** Closes connections to webhooks that are gone, and those whose clients do not respond. */
  protected override async runBatch(): Promise<boolean> {
    for (const token of new Set([...this.clients].map((client) => client.token))) {
      const isGone = await this.isGone(token);
      for (const client of this.clients)
        if (client.token === token) {
          if (isGone) client.connection.close(CLOSE.refused, GONE);
          else client.connection.check();
        }
    }
    return false;
  }

  private async isGone(token: string): Promise<boolean> {
    try {
      return !(await this.receiver.find(token)).enabled;
    } catch (error) {
      if (error instanceof NotFound) return true;
      throw error;
    }
  }

  private assertRoom(applicationId: string): void {
    if (this.isClosing) throw new Unavailable('The server is stopping, try again');
    let own = 0;
    for (const client of this.clients) if (client.applicationId === applicationId) own++;
    if (own >= MAX_PER_APPLICATION || this.clients.size >= MAX_PER_PROCESS)
      throw new TooManyRequests(RETRY_SECONDS, 'Too many WebSocket connections are open');
  }

  private closeAll(): void {
    this.isClosing = true;
    for (const { connection } of this.clients) connection.close(CLOSE.stopping, 'The server is stopping');
  }

  /** Requests the runs for an event, if the webhook still exists and is enabled. */
  private async store({ token, version, origin }: Seen, replyId: string, event: SocketEvent): Promise<void> {
    const webhook = await this.receiver.find(token);
    if (!webhook.enabled) throw new NotFound('Webhook');
    const message = event.type === 'message' ? messageOf(webhook, event.message) : event.message;
    const data = { type: event.type, message, ...origin, replyId };
    await this.firings.fire(WEBHOOK_REQUEST, [
      {
        applicationId: webhook.applicationId,
        triggers: [{ type: 'webhook', key: webhook.id, version }],
        items: [
          {
            given: textOf({ data, sourceId: webhook.id }),
            channel: 'public.rest',
            bytes: event.type === 'message' ? event.message.length : 0,
          },
        ],
      },
    ]);
  }

  private codeOf(error: unknown): number {
    if (error instanceof TooManyRequests) return CLOSE.busy;
    if (error instanceof ApiError) return CLOSE.refused;
    this.log.warn(`Could not store a message to a webhook: ${(error as Error).message}`);
    return CLOSE.failed;
  }
}

const messageOf = (
  webhook: ReceivedWebhook,
  { data, length }: { data: string | Buffer; length: number },
): object => ({
  data: typeof data === 'string' ? data : cast(data, webhook),
  length,
});
