import type { INestApplication } from '@nestjs/common';
import { Job } from '../../src/platform/jobs/job.entity.js';
import { Mailer } from '../../src/lib/mail/mail.js';
import type { OutgoingMail } from '../../src/platform/mail/mail.service.js';
import type { TestApp } from '../setup/app.js';

/** Mails sent in this process, by job ID, because a finished job does not retain its mail. */
const sent = new Map<string, OutgoingMail>();

/** Records the mails that an app sends from now on. */
export function recordMails(app: INestApplication): void {
  const mailer = app.get(Mailer);
  const send = mailer.send.bind(mailer);
  mailer.send = async ({ messageId, ...mail }) => {
    sent.set(messageId, mail);
    await send({ messageId, ...mail });
  };
}

/** Returns the pending and sent mails to an address, oldest first. */
export async function mailsTo(test: TestApp, to: string): Promise<OutgoingMail[]> {
  const jobs = await test.dataSource.manager.find(Job, {
    where: { name: 'mail.send' },
    order: { creationDate: 'ASC' },
  });
  return jobs
    .map(({ id, payload }) => sent.get(id) ?? (payload as OutgoingMail))
    .filter((mail) => mail.to === to);
}
