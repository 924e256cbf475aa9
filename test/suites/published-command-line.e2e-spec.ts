import { createHash, randomBytes } from 'node:crypto';
import { STORES, suiteOn } from '../doubles/blob-stores.js';
import { reachable } from '../make/upload-forms.js';
import type { UploadForm } from '../../src/lib/blobs/blobs.js';
import { FileUpload } from '../../src/modules/files/files/file-upload.entity.js';
import { UploadCompletion } from '../../src/modules/files/files/upload-completion.js';

const BOUNDARY = '--------------------------575ec8687ae143cd83dc4a97';
const checksum = (content: Buffer): string => createHash('md5').update(content).digest('hex');

/**
 * Sends the form of an upload as the published command line does: without the field `bucket`, and with a file part that
 * has no file name. Returns the checksum that it remembers, the ETag without quotation marks.
 */
async function send({ url, fields }: UploadForm, content: Buffer): Promise<string> {
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n`;
  const texts = Object.entries(fields).filter(([name]) => name !== 'bucket');
  const body = Buffer.concat([
    Buffer.from(texts.map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`).join('')),
    Buffer.from(`${part('name="file"')}Content-Type: application/octet-stream\r\n\r\n`),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const response = await fetch(url, { method: 'POST', headers, body });
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 204, text: '' });
  return response.headers.get('etag')!.replaceAll('"', '');
}

describe.each(STORES)('the file commands of the published command line, with %s', (store) => {
  const { test, user, application } = suiteOn(store);
  const path = () => `/applications/${application.id}`;
  const list = async () =>
    (await test.client.get(`${path()}/files?type=file&page=0&perPage=1000`, { token: user.token })).body
      .items;
  const add = async (name: string, fileSize: number) =>
    (
      await test.client.post(
        `${path()}/files`,
        { name, parentDirectory: '/', type: 'file', fileSize, contentType: 'text/plain' },
        { token: user.token },
      )
    ).body;
  /** Notices an upload to S3, which a worker otherwise does at growing intervals. */
  const poll = async (fileId: string) => {
    await test.dataSource.manager.update(FileUpload, { fileId }, { lookAt: new Date(0) });
    await test.app.get(UploadCompletion).pollDue(1_000);
  };
  const download = async (file: { url: string }) => {
    const response = await fetch(file.url.replace(test.config.publicUrl, test.client.url));
    return { isGood: response.ok, content: Buffer.from(await response.arrayBuffer()) };
  };

  it('upload a file, see that it is unmodified, and download it', async () => {
    let file = await add('a.txt', 7);
    for (const content of [Buffer.from('content'), randomBytes(200_000), Buffer.alloc(0)]) {
      const asked = { fileSize: content.length };
      if (content.length !== 7)
        file = (await test.client.patch(`${path()}/file/${file.id}`, asked, { token: user.token })).body;
      expect(await send(reachable(file.upload, test), content)).toBe(checksum(content));
      await poll(file.id);
      const [item] = await list();
      expect(item).toMatchObject({ id: file.id, status: 'completed', s3etag: checksum(content) });
      expect(await download(item)).toEqual({ isGood: true, content });
    }
  });

  it('download a file whose content is pending as an empty one', async () => {
    const { id } = await add('pending.txt', 7);
    const [item] = await list();
    expect(item).toMatchObject({ id, status: 'pending' });
    expect(await download(item)).toEqual({ isGood: true, content: Buffer.alloc(0) });
  });
});
