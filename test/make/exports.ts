import { Job } from '../../src/platform/jobs/job.entity.js';
import type { TestApp } from '../setup/app.js';
import { mailsTo } from '../doubles/mails.js';
import { until } from '../setup/until.js';

/** Waits until a job has ended; its row. */
export async function endOf(test: TestApp, jobId: string, patienceMs = 30_000): Promise<Job> {
  const find = () => test.dataSource.manager.findOneByOrFail(Job, { id: jobId });
  await until(async () => (await find()).completedAt !== null, patienceMs);
  return find();
}

/** The link in the mail about the export. */
export async function mailedLink(test: TestApp, to: string): Promise<string> {
  const [mail] = await mailsTo(test, to);
  return /^http\S+$/m.exec(mail!.text)![0];
}

/** What a link leads to, wherever the platform says that it is reached. */
export async function download(test: TestApp, link: string): Promise<Response> {
  const { pathname, search } = new URL(link);
  return fetch(pathname.startsWith('/blobs/') ? test.client.url + pathname + search : link);
}
