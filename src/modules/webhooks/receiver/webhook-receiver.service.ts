import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../../config/config.js';
import { SecretBox } from '../../../platform/crypto/secrets.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../../platform/errors/errors.js';
import { RequestThrottle } from '../../../platform/throttle/request-throttle.js';
import { newId } from '../../../platform/resource.js';
import { Success } from '../../../platform/shared.schemas.js';
import { FlowRunsService } from '../../flow-runs/flow-runs.service.js';
import { Webhook } from '../webhook.resource.js';
import { passwordContext } from '../webhooks.service.js';
import { rawBody } from './raw-body.js';
import { readBodyOf } from './received-body.js';
import { demandBasicAuth, verify } from './verification.js';
import { WebhookReplies, type RunReply } from './webhook-replies.js';

/** What whoever called a webhook gets. */
export type Answer = RunReply & { status: number };

const TOKEN = /^[\w-]{1,64}$/;
/** Of no concern to workflows: what a caller proves itself with, here or elsewhere. */
const PRIVATE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);
const TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';
const TIMED_OUT: Answer = { status: 504, body: { error: 'Time out waiting for workflow reply' } };

/** Of an application that is there, whose owner is there and not disabled. */
const BY_TOKEN = `FROM webhooks t JOIN applications a ON a.id = t.application_id AND a.deleted_at IS NULL
  LEFT JOIN orgs o ON o.id = a.owner_id AND o.deleted_at IS NULL AND NOT coalesce(o.disabled_at <= now(), false)
  LEFT JOIN users u ON u.id = a.owner_id AND u.permanent_deletion IS NULL
  WHERE t.token = $1 AND coalesce(o.id, u.id) IS NOT NULL`;

/** Takes what is sent to webhooks, and asks for runs of the workflows that listen to them. */
@Injectable()
export class WebhookReceiverService {
  private readonly shape = new RowShape<Webhook>(Webhook, [
    { property: 'basicAuthSealed', kind: 'text', sql: 't.basic_auth_sealed' },
  ]);

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly secrets: SecretBox,
    private readonly throttle: RequestThrottle,
    private readonly runs: FlowRunsService,
    private readonly replies: WebhookReplies,
  ) {}

  /** What is to be answered; throws where the request is refused, and then nothing runs. */
  async receive(token: string, request: Request, response: Response): Promise<Answer> {
    const webhook = await this.find(token);
    if (webhook.isWebsocket) throw new ValidationError('The webhook takes websockets, no requests');
    await this.throttle.take(`webhook:${webhook.id}`);
    if (!webhook.enabled) return { status: 200, body: new Success() };
    this.demandCaller(webhook, request);
    const { method, headers, query } = request;
    const bytes = await rawBody(request, response);
    const url = this.config.publicUrl + request.originalUrl;
    const handshake = verify(webhook, { method, url, headers, query, body: bytes });
    if (handshake) return handshake;
    const body = await readBodyOf(request, bytes, webhook);
    return this.trigger(webhook, request, body, response);
  }

  private async find(token: string): Promise<Webhook> {
    const rows = TOKEN.test(token)
      ? await this.database.read(prepared(this.shape.select(BY_TOKEN), [token]))
      : [];
    if (!rows[0]) throw new NotFound('Webhook');
    return this.shape.toObject(rows[0]);
  }

  /** Where the webhook has a user or a password, the caller names them; of the two, what is not set is empty. */
  private demandCaller({ id, basicAuthUsername, basicAuthSealed }: Webhook, { headers }: Request): void {
    if (!basicAuthUsername && !basicAuthSealed) return;
    const password = basicAuthSealed ? this.secrets.open(basicAuthSealed, passwordContext(id)) : '';
    demandBasicAuth(headers.authorization, basicAuthUsername ?? '', password);
  }

  private async trigger(
    webhook: Webhook,
    request: Request,
    body: unknown,
    response: Response,
  ): Promise<Answer> {
    const { id, applicationId, waitForReply, responseCode, verificationType } = webhook;
    const data = {
      body,
      headers: keptHeaders(request.headers),
      method: request.method,
      path: request.path.replace(/^\/webhooks\/[^/]+/i, '') || '/',
      query: request.query,
      ...(waitForReply ? { replyId: `${id}.${newId()}` } : {}),
    };
    const version = request.headers['x-flow-version']?.toString() || undefined;
    const runs = await this.runs.fire(
      applicationId,
      { type: 'webhook', key: id, data, sourceId: id },
      version,
    );
    // Where nothing runs there is nothing to wait for.
    if (waitForReply && runs.length > 0) return this.replyOf(runs, response);
    if (verificationType === 'twilio')
      return { status: responseCode, headers: { 'Content-Type': 'text/xml; charset=utf-8' }, body: TWIML };
    return { status: responseCode, body: new Success() };
  }

  private async replyOf(runs: readonly string[], response: Response): Promise<Answer> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const reply = await this.replies.firstOf(runs, gone.signal);
    return reply ? { status: 200, ...reply } : TIMED_OUT;
  }
}

function keptHeaders(headers: Request['headers']): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name)));
}
