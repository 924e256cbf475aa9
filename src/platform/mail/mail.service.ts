import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { defineJob } from '../jobs/job-definition.js';
import type { JobRequester } from '../jobs/job-rows.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob, type JobContext } from '../jobs/on-job.js';
import { Mailer, type Mail } from '../../lib/mail/mail.js';

/** A mail that is to be sent; the job that sends it names it. */
export type OutgoingMail = Omit<Mail, 'messageId'>;

/**
 * Tried for about seven hours; a server may take ten minutes to take a message over. What a mail says, such as the token
 * of an invitation, is not kept.
 */
export const MAIL_SEND = defineJob<OutgoingMail>('mail.send', {
  attempts: 16,
  timeoutMs: 15 * 60_000,
  forgets: true,
});

/**
 * Mail as part of a transaction: it goes out when that is committed, and never otherwise.
 *
 * None is lost: a mail is done only when the server has taken it over, and until then it is sent again, whatever dies.
 * None goes out twice, but for one moment that SMTP leaves open: a worker that dies after the server's last answer and
 * before the next statement, which records it, cannot be told from one that died before the answer. The mail is then
 * sent again with the same `Message-ID`, which many mail systems drop.
 */
@Injectable()
export class MailService {
  constructor(
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
  ) {}

  /** Returns the job's id. No second mail goes out for the same `onceFor`. */
  send(transaction: Transaction, mail: OutgoingMail, by?: JobRequester, onceFor?: string): Promise<string> {
    return this.jobs.enqueue(transaction, MAIL_SEND, mail, by, { onceFor });
  }

  @OnJob(MAIL_SEND)
  async deliver(mail: OutgoingMail, { id }: JobContext): Promise<void> {
    try {
      await this.mailer.send({ ...mail, messageId: id });
    } catch (error) {
      if (isRefusal(error)) throw new ValidationError('mail was refused by the mail server for good');
      throw error;
    }
  }
}

/** The server wants neither this recipient nor this content, now or later. Other errors, as of a log-in, may pass. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
