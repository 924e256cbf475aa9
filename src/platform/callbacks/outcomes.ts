import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiError } from '../../lib/errors/errors.js';
import type { JobContext } from '../jobs/on-job.js';
import { MailService, type OutgoingMail } from '../mail/mail.service.js';
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

/** Sends the results of jobs by email and callback, once per job regardless of its attempts. */
@Injectable()
export class Outcomes {
  constructor(
    private readonly database: Database,
    private readonly mails: MailService,
    private readonly callbacks: CallbacksService,
  ) {}

  /** Does the work of a job and sends its result as soon as it is final. Returns the part that the job's log shows. */
  async runAndNotify(task: Task, job: JobContext, work: () => Promise<Outcome>): Promise<object | undefined> {
    const begun = job.permanentFailure ? Promise.reject<Outcome>(job.permanentFailure) : work();
    const outcome = await begun.catch(async (error: unknown) => {
      const known = error instanceof ApiError && error.status < 500;
      const { type, message } = known ? error : UNEXPECTED_FAILURE;
      if (known || job.isLastAttempt)
        await this.notify(task, job.id, 'failed', {
          data: { error: { type, message } },
          text: `${message}.`,
        });
      throw error;
    });
    await this.notify(task, job.id, 'completed', outcome);
    return outcome.output;
  }

  private notify(
    { type, title, listeners, ...task }: Task,
    jobId: string,
    status: 'completed' | 'failed',
    { data, text }: Outcome,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { email, callbackUrl } = listeners;
      const concerned = subjectOf(task);
      const payload = { jobId, ...concerned, status, ...data };
      if (callbackUrl)
        await this.callbacks.send(
          transaction,
          { ...concerned, url: callbackUrl, type, data: payload },
          jobId,
        );
      if (email)
        await this.mails.send(transaction, outcomeMail(email, title, status, text), undefined, jobId);
    });
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
