import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { defineJob } from '../jobs/job-definition.js';
import type { JobRequester } from '../jobs/job-rows.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob, type JobContext } from '../jobs/on-job.js';
import { Mailer, type Mail } from '../../lib/mail/mail.js';

/** A mail to be sent; the job that sends it determines its message ID. */
export type OutgoingMail = Omit<Mail, 'messageId'>;

/**
 * Retried for about seven hours; a server may take ten minutes to accept a message. The payload is erased afterwards,
 * because it may contain secrets such as the token of an invitation.
 */
export const MAIL_SEND = defineJob<OutgoingMail>('mail.send', {
  attempts: 16,
  timeoutMs: 15 * 60_000,
  erasesPayload: true,
});

/**
 * Sends mail as part of a transaction: only if the transaction is committed.
 *
 * No mail is lost: a job ends only after the server has accepted the mail, and is retried until then. No mail is sent
 * twice, with one exception that SMTP cannot prevent: the worker dies between the final response of the server and the
 * next statement, which records it. The mail is then sent again with the same `Message-ID`, which many mail systems
 * discard as a duplicate.
 */
@Injectable()
export class MailService {
  constructor(
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
  ) {}

  /** Returns the ID of the job. Sends at most one mail per `onceFor`. */
  send(transaction: Transaction, mail: OutgoingMail, by?: JobRequester, onceFor?: string): Promise<string> {
    return this.jobs.enqueue(transaction, MAIL_SEND, mail, by, { onceFor });
  }

  @OnJob(MAIL_SEND)
  async deliver(mail: OutgoingMail, { id }: JobContext): Promise<void> {
    try {
      await this.mailer.send({ ...mail, messageId: id });
    } catch (error) {
      if (isRejection(error)) throw new ValidationError('mail was permanently rejected by the mail server');
      throw error;
    }
  }
}

/**
 * Whether the server rejected the recipient or content permanently. Other errors, such as failed log-ins, may be
 * temporary.
 */
function isRejection(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
