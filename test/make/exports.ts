import { Job } from '../../src/platform/jobs/job.entity.js';
import type { TestApp } from '../setup/app.js';
import { mailsTo } from '../doubles/mails.js';
import { waitUntil } from '../setup/until.js';

/** Waits for a job to end and returns its row. */
export async function waitForOutcome(test: TestApp, jobId: string, patienceMs = 30_000): Promise<Job> {
  const find = () => test.dataSource.manager.findOneByOrFail(Job, { id: jobId });
  await waitUntil(async () => (await find()).completedAt !== null, patienceMs);
  return find();
}

/** Returns the link in the mail about an export. */
export async function mailedLink(test: TestApp, to: string): Promise<string> {
  const [mail] = await mailsTo(test, to);
  return /^http\S+$/m.exec(mail!.text)![0];
}

/** Downloads a link from this platform, whatever host its URL contains. */
export async function download(test: TestApp, link: string): Promise<Response> {
  const { pathname, search } = new URL(link);
  return fetch(pathname.startsWith('/blobs/') ? test.client.url + pathname + search : link);
}
