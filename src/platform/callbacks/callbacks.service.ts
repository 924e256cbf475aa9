import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { Gone, ValidationError } from '../../lib/errors/errors.js';
import { OutboundError, type SafeHttp } from '../../lib/http/safe-http.js';
import { defineJob } from '../jobs/job-definition.js';
import type { JobRequester } from '../jobs/job-rows.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob, type JobContext } from '../jobs/on-job.js';
import type { CallbackSigner } from './callback-signer.js';

/** The application or the instance that it is about: its secret signs what is told. */
export type Concerned =
  { applicationId: string; instanceId?: undefined } | { instanceId: string; applicationId?: undefined };

/** What a receiver is told. */
export type Callback = Concerned & {
  url: string;
  /** What happened, such as `device.export`. */
  type: string;
  data: object;
};

const TIMEOUT_MS = 10_000;
const GONE = 410;

/** Tried for about two and a half hours. A URL may hold a secret of the receiver, so nothing is kept of it. */
export const CALLBACK_SEND = defineJob<Callback>('callback.send', {
  attempts: 12,
  timeoutMs: 2 * TIMEOUT_MS,
  forgets: true,
});

/**
 * Tells receivers elsewhere, as part of a transaction: a callback is sent when that is committed, and again until the receiver
 * answers with a status of 200 to 299. One that took it and did not live to say so gets it twice, under the same id.
 */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly jobs: JobsService,
    private readonly http: SafeHttp,
    private readonly signer: CallbackSigner,
  ) {}

  /** Throws `ValidationError` where no callback would ever be sent to the URL; `field` is what held it. */
  check(url: string, field: string): void {
    if (!this.http.permits(url))
      throw new ValidationError(`${field} must be an https URL of a public server, without a user in it`);
  }

  /** Tells the receiver, once for each `onceFor`. */
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
        if (error instanceof OutboundError && error.reason === 'request') throw unsendable();
        throw error;
      });
    if (status === GONE) throw new Gone('The receiver of the callback wants no more of them');
    if (status < 200 || status > 299) throw new Error(`The receiver of a callback answered ${status}`);
  }
}

const unsendable = (): ValidationError =>
  new ValidationError('callbackUrl is none that callbacks are sent to');
