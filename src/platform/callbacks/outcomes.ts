import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { sha256 } from '../../lib/crypto/hashes.js';
import { ApiError } from '../../lib/errors/errors.js';
import { canonicalAddress } from '../../lib/mail/addresses.js';
import type { JobContext } from '../jobs/on-job.js';
import { MailService, type OutgoingMail } from '../mail/mail.service.js';
import type { RateLimit } from '../throttle/rate-limit.js';
import { RateLimits } from '../throttle/rate-limits.js';
import { CallbacksService, type CallbackSubject } from './callbacks.service.js';
import type { Listeners } from './listeners.js';

/** Description of a job for those who are notified of its result. */
export type Task = CallbackSubject & {
  /** Operation that requested the job, such as `device.export`. */
  type: string;
  /** Human-readable description of the job, such as `Export of the data of Pump 3`. */
  title: string;
  listeners: Listeners;
};

/** Result of a job: the data for the callback and the text for the email. */
export interface Outcome {
  data: object;
  text: string;
  /**
   * Part of the result that the application's log shows, as `JOB_OUTPUT` describes. It contains no links, since any
   * reader could open them.
   */
  output?: object;
}

const UNEXPECTED_FAILURE = { type: 'Error', message: 'It failed unexpectedly and is not retried' };

/** Emails in an hour. Callers name the address, so without a limit they could flood the mailbox of anyone. */
const MAX_MAILS_TO_ADDRESS = 100;
const MAX_MAILS_OF_OWNER = 200;
const HOUR = 3_600;
const NOT_SENT = 'The email was not sent, because too many were sent in the last hour';

/** Sends the results of jobs by email and callback, once per job regardless of its attempts. */
@Injectable()
export class Outcomes {
  private readonly logger = new Logger('Outcomes');
  private readonly recipients: RateLimit;
  private readonly owners: RateLimit;

  constructor(
    private readonly database: Database,
    private readonly mails: MailService,
    private readonly callbacks: CallbacksService,
    limits: RateLimits,
  ) {
    this.recipients = limits.limit('jobs:to', { points: MAX_MAILS_TO_ADDRESS, duration: HOUR });
    this.owners = limits.limit('jobs:of', { points: MAX_MAILS_OF_OWNER, duration: HOUR });
  }

  /** Does the work of a job and sends its result as soon as it is final. Returns the part that the job's log shows. */
  async runAndNotify(task: Task, job: JobContext, work: () => Promise<Outcome>): Promise<object | undefined> {
    const begun = job.permanentFailure ? Promise.reject<Outcome>(job.permanentFailure) : work();
    const outcome = await begun.catch(async (error: unknown) => {
      const known = error instanceof ApiError && error.status < 500;
      const { type, message } = known ? error : UNEXPECTED_FAILURE;
      if (known || job.isLastAttempt)
        await this.notify(task, job, 'failed', {
          data: { error: { type, message } },
          text: `${message}.`,
        });
      throw error;
    });
    await this.notify(task, job, 'completed', outcome);
    return outcome.output;
  }

  private async notify(
    { type, title, listeners, ...task }: Task,
    job: JobContext,
    status: 'completed' | 'failed',
    { data, text }: Outcome,
  ): Promise<void> {
    const { email, callbackUrl } = listeners;
    const isMailed = email !== undefined && (await this.isWithinLimits(email, listeners.ownerId));
    await this.database.transaction(async (transaction) => {
      const concerned = subjectOf(task);
      const payload = { jobId: job.id, ...concerned, status, ...data };
      if (callbackUrl)
        await this.callbacks.send(
          transaction,
          { ...concerned, url: callbackUrl, type, data: payload },
          job.id,
        );
      if (isMailed)
        await this.mails.send(transaction, outcomeMail(email, title, status, text), undefined, job.id);
    });
    if (email === undefined || isMailed) return;
    this.logger.warn(`Job ${job.id} (${type}): ${NOT_SENT}`);
    // The end of the job does not depend on this line of its log.
    await job.progress({ status: NOT_SENT }).catch(() => undefined);
  }

  /** Counts an email. An owner beyond the limit does not use up the limit of the address, which others may share. */
  private async isWithinLimits(email: string, ownerId: string | undefined): Promise<boolean> {
    if (ownerId !== undefined && (await this.owners.add(ownerId, 1)).count > MAX_MAILS_OF_OWNER) return false;
    return (
      (await this.recipients.add(sha256(canonicalAddress(email) ?? email), 1)).count <= MAX_MAILS_TO_ADDRESS
    );
  }
}

const subjectOf = ({ applicationId, instanceId }: CallbackSubject): CallbackSubject =>
  applicationId === undefined ? { instanceId } : { applicationId };

function outcomeMail(to: string, title: string, status: 'completed' | 'failed', text: string): OutgoingMail {
  const line = toOneLine(title);
  const ended = status === 'completed' ? 'is done' : 'has failed';
  return { to, subject: `${line} ${ended}`, text: `Hello,\n\n${line} ${ended}.\n\n${text}\n` };
}

/** Names are user input: a name must not look like a line of the email. */
const toOneLine = (name: string): string => name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
