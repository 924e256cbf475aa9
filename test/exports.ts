import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { promisify } from 'node:util';
import { Job } from '../src/platform/jobs/job.entity.js';
import type { TestApp } from './app.js';
import { mailsTo } from './mails.js';
import { until } from './until.js';

/** Waits until a job has ended; its row. */
export async function endOf(test: TestApp, jobId: string, patienceMs = 30_000): Promise<Job> {
  const find = () => test.dataSource.manager.findOneByOrFail(Job, { id: jobId });
  await until(async () => (await find()).completedAt !== null, patienceMs);
  return find();
}

/** The link in the mail about what was exported. */
export async function mailedLink(test: TestApp, to: string): Promise<string> {
  const [mail] = await mailsTo(test, to);
  return /^http\S+$/m.exec(mail!.text)![0];
}

/** What a link leads to, wherever the platform says that it is reached. */
export async function download(test: TestApp, link: string): Promise<Response> {
  const { pathname, search } = new URL(link);
  return fetch(pathname.startsWith('/blobs/') ? test.client.url + pathname + search : link);
}

/** The files of a zip file by their names, as text. */
export async function unzipped(bytes: Buffer): Promise<Record<string, string>> {
  const files = Object.entries(await unzippedBytes(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, content.toString()]));
}

/** The files of a zip file by their names, as another library reads them. */
export async function unzippedBytes(bytes: Buffer): Promise<Record<string, Buffer>> {
  const open = (done: (error: Error | null, zip: yauzl.ZipFile) => void) =>
    yauzl.fromBuffer(bytes, { lazyEntries: true }, done);
  const zip = await promisify(open)();
  const files: Record<string, Buffer> = {};
  await new Promise<void>((resolve, reject) => {
    zip.on('end', resolve).on('error', reject);
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        buffer(stream).then((content) => {
          files[entry.fileName] = content;
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
  return files;
}
