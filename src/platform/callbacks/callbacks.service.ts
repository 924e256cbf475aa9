import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { Gone, ValidationError } from '../../lib/errors/errors.js';
import { OutboundError, type SafeHttp } from '../../lib/http/safe-http.js';
import { defineJob } from '../jobs/job-definition.js';
import type { JobRequester } from '../jobs/job-rows.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob, type JobContext } from '../jobs/on-job.js';
import type { CallbackSigner } from './callback-signer.js';

/** The application or instance that a callback concerns. Its secret signs the callback. */
export type CallbackSubject =
  { applicationId: string; instanceId?: undefined } | { instanceId: string; applicationId?: undefined };

/** Content of a callback. */
export type Callback = CallbackSubject & {
  url: string;
  /** Type of the event, such as `device.export`. */
  type: string;
  data: object;
};

const TIMEOUT_MS = 10_000;
const GONE_STATUS = 410;

/** Retried for about two and a half hours. The job is not kept, because a URL may contain a secret of the receiver. */
export const CALLBACK_SEND = defineJob<Callback>('callback.send', {
  attempts: 12,
  timeoutMs: 2 * TIMEOUT_MS,
  erasesPayload: true,
});

/**
 * Sends callbacks to external receivers as part of a transaction. A callback is sent after the commit and retried until
 * the receiver responds with a status of 200 to 299. If a process dies before recording the delivery, the receiver gets
 * the callback again with the same ID.
 */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly jobs: JobsService,
    private readonly http: SafeHttp,
    private readonly signer: CallbackSigner,
  ) {}

  /**
   * Throws a `ValidationError` if callbacks are never sent to this URL; `field` is the name of the field that contains
   * it.
   */
  check(url: string, field: string): void {
    if (!this.http.permits(url))
      throw new ValidationError(`${field} must be an https URL of a public server without user information`);
  }

  /** Sends the callback, once per `onceFor`. */
  async send(
    transaction: Transaction,
    callback: Callback,
    onceFor: string,
    by?: JobRequester,
  ): Promise<void> {
    await this.jobs.enqueue(transaction, CALLBACK_SEND, callback, by, { onceFor });
  }

  @OnJob(CALLBACK_SEND)
  async deliver({ url, type, data, ...concerned }: Callback, { id }: JobContext): Promise<void> {
    const now = new Date();
    const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
    const time = Math.floor(now.getTime() / 1000);
    const status = await this.http
      .deliver({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...this.signer.headersOf(concerned.applicationId ?? concerned.instanceId, { id, time, body }),
        },
        body,
        timeoutMs: TIMEOUT_MS,
      })
      .catch((error: unknown) => {
        if (error instanceof OutboundError && error.reason === 'request') throw invalidCallbackUrl();
        throw error;
      });
    if (status === GONE_STATUS) throw new Gone('The receiver of the callback responded with 410 Gone');
    if (status < 200 || status > 299)
      throw new Error(`The receiver of a callback responded with status ${status}`);
  }
}

const invalidCallbackUrl = (): ValidationError =>
  new ValidationError('callbackUrl is not a URL to which callbacks can be sent');
