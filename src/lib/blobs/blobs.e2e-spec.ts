import { uniqueName } from '../../../test/make/make.js';
import { BLOBS, type Blobs } from './blobs.js';
import { suite } from '../../../test/setup/suite.js';

describe('A link to a file of the disk store', () => {
  const { test } = suite();
  let blobs: Blobs;
  beforeAll(() => {
    blobs = test.app.get<Blobs>(BLOBS);
  });

  const linkTo = async (key: string, expiresIn = 60) => {
    const { pathname, search } = new URL(await blobs.downloadUrl(key, { expiresIn, fileName: 'notes.txt' }));
    return test.client.url + pathname + search;
  };

  it('downloads the file without a token', async () => {
    const key = `exports/${uniqueName()}.txt`;
    await blobs.put(key, Buffer.from('content'), { contentType: 'text/plain' });
    const response = await fetch(await linkTo(key));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(await response.text()).toBe('content');
  });

  it.each([
    ['changed', (link: string) => link.replace('notes.txt', 'other.txt')],
    ['for another file', (link: string) => link.replace('.txt?', '.bin?')],
    ['without its signature', (link: string) => link.replace(/&signature=.*/, '')],
    ['with its signature twice', (link: string) => `${link}&signature=x`],
    ['that leaves the folder', (link: string) => link.replace('/exports/', '/exports/..%2f..%2f')],
  ])('is rejected: %s', async (_what, change) => {
    const key = `exports/${uniqueName()}.txt`;
    await blobs.put(key, Buffer.from('content'), { contentType: 'text/plain' });
    const response = await fetch(change(await linkTo(key)));
    expect([400, 403, 404]).toContain(response.status);
    expect(Object.keys((await response.json()) as object).sort()).toEqual(['message', 'type']);
  });

  it('is rejected after it has expired', async () => {
    expect((await fetch(await linkTo('exports/any.txt', -1))).status).toBe(403);
  });

  it('returns 404 if the file has been deleted', async () => {
    expect((await fetch(await linkTo(`exports/${uniqueName()}.txt`))).status).toBe(404);
  });
});
