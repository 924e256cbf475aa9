import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiError } from '../../lib/errors/errors.js';
import type { JobContext } from '../jobs/on-job.js';
import { MailService, type OutgoingMail } from '../mail/mail.service.js';
import { CallbacksService, type Concerned } from './callbacks.service.js';
import type { Listeners } from './listeners.js';

/** What a job was about, for those who hear how it ended. */
export type Task = Concerned & {
  /** The operation that it was asked for by, such as `device.export`. */
  type: string;
  /** What it did, for people, such as `Export of the data of Pump 3`. */
  title: string;
  listeners: Listeners;
};

/** How it ended: what the receiver of a callback is told, and what the mail says of it. */
export interface Outcome {
  data: object;
  text: string;
  /** What the log of the application shows of it, as `JOB_OUTPUT` has it: no links, which whoever has them can open. */
  output?: object;
}

const GIVEN_UP = { type: 'Error', message: 'It failed unexpectedly and was given up' };

/** Tells by mail and callback how jobs ended: once, however often a job runs. */
@Injectable()
export class Outcomes {
  constructor(
    private readonly database: Database,
    private readonly mails: MailService,
    private readonly callbacks: CallbacksService,
  ) {}

  /** Does the work of a job and tells how it ended, as soon as that is final. Returns what the job's log shows. */
  async tellOf(task: Task, job: JobContext, work: () => Promise<Outcome>): Promise<object | undefined> {
    const begun = job.givenUp ? Promise.reject<Outcome>(job.givenUp) : work();
    const outcome = await begun.catch(async (error: unknown) => {
      const known = error instanceof ApiError && error.status < 500;
      const { type, message } = known ? error : GIVEN_UP;
      if (known || job.last)
        await this.tell(task, job.id, 'failed', { data: { error: { type, message } }, text: `${message}.` });
      throw error;
    });
    await this.tell(task, job.id, 'completed', outcome);
    return outcome.output;
  }

  private tell(
    { type, title, listeners, ...task }: Task,
    jobId: string,
    status: 'completed' | 'failed',
    { data, text }: Outcome,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { email, callbackUrl } = listeners;
      const concerned = concernedOf(task);
      const told = { jobId, ...concerned, status, ...data };
      if (callbackUrl)
        await this.callbacks.send(transaction, { ...concerned, url: callbackUrl, type, data: told }, jobId);
      if (email) await this.mails.send(transaction, mail(email, title, status, text), undefined, jobId);
    });
  }
}

const concernedOf = ({ applicationId, instanceId }: Concerned): Concerned =>
  applicationId === undefined ? { instanceId } : { applicationId };

function mail(to: string, title: string, status: 'completed' | 'failed', text: string): OutgoingMail {
  const line = oneLine(title);
  const ended = status === 'completed' ? 'is done' : 'has failed';
  return { to, subject: `${line} ${ended}`, text: `Hello,\n\n${line} ${ended}.\n\n${text}\n` };
}

/** Names come from people: none may look like a line of the mail. */
const oneLine = (name: string): string => name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
