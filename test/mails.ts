import { Job } from '../src/platform/jobs/job.entity.js';
import type { OutgoingMail } from '../src/platform/mail/mail.service.js';
import type { TestApp } from './app.js';

/** The mails that wait for an address, or went to it, the oldest first. */
export async function mailsTo(test: TestApp, to: string): Promise<OutgoingMail[]> {
  const jobs = await test.dataSource.manager.find(Job, {
    where: { name: 'mail.send' },
    order: { creationDate: 'ASC' },
  });
  return jobs.map(({ payload }) => payload as OutgoingMail).filter((mail) => mail.to === to);
}
