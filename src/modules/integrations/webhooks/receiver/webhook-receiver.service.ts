import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../../../config/config.js';
import { SecretBox } from '../../../../lib/crypto/secrets.js';
import { NotFound, ValidationError } from '../../../../lib/errors/errors.js';
import { networkOf } from '../../../../platform/throttle/network.js';
import { RequestThrottle } from '../../../../platform/throttle/request-throttle.js';
import { readBytes } from '../../../../lib/http/read-bytes.js';
import { Success } from '../../../../platform/fields/shared.schemas.js';
import type { Reply } from '../../../../workflows/engine/ports.js';
import { WEBHOOK_REQUEST } from '../../../../workflows/runs/causes.js';
import { Firings } from '../../../../workflows/runs/fire.js';
import { Replies, type AwaitedReply } from '../../../../workflows/runs/replies.js';
import { textOf } from '../../../../workflows/runs/run-trigger.js';
import type { ReceivedWebhook } from '../webhooks.repository.js';
import { PASSWORD_SEALED } from '../webhook.rules.js';
import { readBodyOf } from './received-body.js';
import { ReceivedWebhooks } from './received-webhooks.js';
import { assertBasicAuth, verify } from './verification.js';

/** Response to the caller of a webhook. */
export interface Answer {
  status: number;
  headers?: Reply['headers'];
  body?: unknown;
}

const MAX_BYTES = 256 * 1024;
const TOKEN = /^[\w-]{1,64}$/;
/** Credentials of the caller, which workflows do not receive. */
const PRIVATE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);
const TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';
const TIMED_OUT: Answer = { status: 504, body: { error: 'Time out waiting for workflow reply' } };

/** Receives requests to webhooks and enqueues runs of the workflows that listen to them. */
@Injectable()
export class WebhookReceiverService {
  constructor(
    private readonly webhooks: ReceivedWebhooks,
    private readonly config: Config,
    private readonly secrets: SecretBox,
    private readonly throttle: RequestThrottle,
    private readonly firings: Firings,
    private readonly replies: Replies,
  ) {}

  /** Returns the response. Throws if the request is rejected; then no workflow runs. */
  async receive(token: string, request: Request, response: Response): Promise<Answer> {
    const webhook = await this.find(token);
    if (webhook.isWebsocket) throw new ValidationError('The webhook accepts WebSocket connections only');
    this.limitCaller(webhook, request);
    if (!webhook.enabled) return { status: 200, body: new Success() };
    this.authenticateCaller(webhook, request);
    const { method, headers, query } = request;
    const bytes = await readBytes(request, MAX_BYTES, networkOf(request.ip ?? ''));
    const url = this.config.publicUrl + request.originalUrl;
    const handshake = verify(webhook, { method, url, headers, query, body: bytes });
    if (handshake) return handshake;
    if (isProtected(webhook)) this.throttle.consume(limitOf(webhook));
    const body = await readBodyOf(request, bytes, webhook);
    return this.trigger(webhook, request, body, bytes.length, response);
  }

  /** Returns the webhook that a request for a WebSocket may connect to. Throws if the request is rejected. */
  async admit(token: string, request: Request): Promise<ReceivedWebhook> {
    const webhook = await this.find(token);
    if (!webhook.isWebsocket) throw new ValidationError('The webhook accepts HTTP requests only');
    if (!webhook.enabled) throw new NotFound('Webhook');
    this.limitCaller(webhook, request);
    this.authenticateCaller(webhook, request);
    return webhook;
  }

  /** Returns the webhook of a token. Throws `404` if it does not exist or its owner cannot receive requests. */
  async find(token: string): Promise<ReceivedWebhook> {
    const webhook = TOKEN.test(token) ? await this.webhooks.get(token) : undefined;
    if (!webhook) throw new NotFound('Webhook');
    return webhook;
  }

  /**
   * Counts a request. Unauthenticated callers of a protected webhook are limited per network, so that they cannot exhaust
   * the limit of the service that the webhook is for.
   */
  private limitCaller(webhook: ReceivedWebhook, { ip = '' }: Request): void {
    const limit = limitOf(webhook);
    this.throttle.consume(isProtected(webhook) ? `${limit}:${networkOf(ip)}` : limit);
  }

  /** Checks user and password if either is set. The one that is not set must be empty. */
  private authenticateCaller(webhook: ReceivedWebhook, { headers }: Request): void {
    const { id, basicAuthUsername, basicAuthSealed } = webhook;
    if (!requiresCaller(webhook)) return;
    const password = basicAuthSealed ? PASSWORD_SEALED.open(id, basicAuthSealed, this.secrets) : '';
    assertBasicAuth(headers.authorization, basicAuthUsername ?? '', password);
  }

  private async trigger(
    webhook: ReceivedWebhook,
    request: Request,
    body: unknown,
    bytes: number,
    response: Response,
  ): Promise<Answer> {
    const { id, applicationId, waitForReply, responseCode, verificationType } = webhook;
    const replyId = waitForReply ? this.replies.newReplyId(id) : undefined;
    const { headers, path, query } = origin(request);
    const data = { body, method: request.method, headers, path, query, replyId };
    const version = versionOf(request);
    const given = textOf({ data, sourceId: id });
    // The workflow may reply before `fire` returns.
    const awaited = replyId === undefined ? undefined : this.replies.expect(applicationId, replyId);
    const runs = await this.firings
      .fire(WEBHOOK_REQUEST, [
        {
          applicationId,
          isAwaited: awaited !== undefined,
          triggers: [{ type: 'webhook', key: id, version }],
          items: [{ given, channel: 'public.rest', bytes }],
        },
      ])
      .catch((error: unknown) => {
        awaited?.cancel();
        throw error;
      });
    if (awaited && runs.length > 0) return replyTo(response, awaited);
    awaited?.cancel();
    if (verificationType === 'twilio')
      return { status: responseCode, headers: { 'Content-Type': 'text/xml; charset=utf-8' }, body: TWIML };
    return { status: responseCode, body: new Success() };
  }
}

async function replyTo(response: Response, awaited: AwaitedReply): Promise<Answer> {
  // The caller may have left while the runs were stored.
  if (response.destroyed) awaited.cancel();
  response.once('close', () => awaited.cancel());
  return (await awaited.reply) ?? TIMED_OUT;
}

const limitOf = ({ id }: ReceivedWebhook): string => `webhook:${id}`;

const requiresCaller = ({ basicAuthUsername, basicAuthSealed }: ReceivedWebhook): boolean =>
  Boolean(basicAuthUsername) || Boolean(basicAuthSealed);

/** Returns whether callers must authenticate. */
const isProtected = (webhook: ReceivedWebhook): boolean =>
  webhook.verificationType !== 'none' || requiresCaller(webhook);

/** Returns what workflows receive of a request apart from its method and body. */
export const origin = ({
  headers,
  path,
  query,
}: Request): Pick<Request, 'path' | 'query'> & { headers: object } => ({
  headers: forwardedHeaders(headers),
  path: path.replace(/^\/webhooks\/[^/]+/i, '') || '/',
  query,
});

/** Returns the version of the workflows that a request names. */
export const versionOf = ({ headers }: Request): string | undefined =>
  headers['x-flow-version']?.toString() || undefined;

function forwardedHeaders(headers: Request['headers']): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name)));
}
