import { STORES, suiteOn } from '../../../../test/doubles/blob-stores.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { reachable, upload } from '../../../../test/make/upload-forms.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { UploadCompletion } from './upload-completion.js';

const MOST = 20;
const REFUSED = {
  status: 400,
  body: {
    type: 'Validation',
    message: `The limit of ${MOST} bytes of workflow storage and files is reached`,
  },
};

describe.each(STORES)('Storage limit of an owner with files in %s', (store) => {
  const { test, user, application } = suiteOn(store, { PROCESS_ROLE: 'api' });

  type Kind = 'files' | 'privateFiles';
  let token: { token: string };
  beforeEach(() => {
    token = { token: user.token };
  });
  const limit = (bytes: number | null) =>
    test.dataSource.query(`UPDATE users SET limits = jsonb_build_object('storage', $2::int) WHERE id = $1`, [
      user.id,
      bytes,
    ]);
  beforeEach(() => limit(MOST));

  const own = (kind: Kind, id: string) =>
    `/applications/${application.id}/${kind === 'files' ? 'file' : 'privateFiles'}/${id}`;
  const post = (kind: Kind, body: object, of: { id: string } = application) =>
    test.client.post(`/applications/${of.id}/${kind}`, { type: 'file', ...body }, token);
  const get = async (kind: Kind, id: string) => (await test.client.get(own(kind, id), token)).body;
  const patch = (kind: Kind, id: string, body: object) => test.client.patch(own(kind, id), body, token);
  const send = (file: any, bytes: number) => upload(reachable(file.upload, test), 'x'.repeat(bytes));
  /** Uploads content through the platform. */
  const pass = (kind: Kind, id: string, bytes: number) => {
    const form = new FormData();
    form.append(kind === 'files' ? 'file' : 'privateFile', new Blob(['x'.repeat(bytes)]), 'a');
    return test.client.post(`${own(kind, id)}/upload`, form, token);
  };
  const made = async (kind: Kind, bytes: number) => {
    const { body } = await post(kind, { name: `${kind}-${bytes}`, fileSize: bytes });
    expect((await send(body, bytes)).status).toBe(204);
    return get(kind, body.id);
  };

  it.each(['files', 'privateFiles'] as const)('is enforced to the byte: %s', async (kind) => {
    const first = await made(kind, MOST - 5);
    expect(first).toMatchObject({ status: 'completed', fileSize: MOST - 5 });
    expect(await post(kind, { name: 'more', fileSize: 6 })).toMatchObject(REFUSED);
    expect(await patch(kind, first.id, { fileSize: MOST + 1 })).toMatchObject(REFUSED);
    expect((await patch(kind, first.id, { fileSize: MOST })).status).toBe(201);
    const { body: last } = await post(kind, { name: 'last', fileSize: 5 });
    expect((await send(last, 5)).status).toBe(204);
    expect(await get(kind, last.id)).toMatchObject({ status: 'completed' });
    expect((await post(kind, { name: 'none', fileSize: 0 })).status).toBe(201);
    expect(await pass(kind, last.id, 5)).toMatchObject({ status: 200, body: { fileSize: 5 } });
    expect(await pass(kind, last.id, 6)).toMatchObject(REFUSED);
    expect(await pass(kind, last.id, 1)).toMatchObject({ status: 200, body: { fileSize: 1 } });
  });

  it('frees space after the deletion of a file or its directory', async () => {
    const { body: directory } = await post('files', { name: 'd', type: 'directory' });
    const { body: file } = await post('files', { name: 'a', parentDirectory: '/d', fileSize: MOST });
    expect((await send(file, MOST)).status).toBe(204);
    expect(await get('files', file.id)).toMatchObject({ status: 'completed' });
    expect(await post('privateFiles', { name: 'b', fileSize: 1 })).toMatchObject(REFUSED);
    await test.client.delete(own('files', directory.id), token);
    const other = await made('privateFiles', MOST);
    expect(await post('files', { name: 'b', fileSize: 1 })).toMatchObject(REFUSED);
    await test.client.delete(own('privateFiles', other.id), token);
    await made('files', MOST);
  });

  it('rejects new content without changing the file, and the form works once there is space', async () => {
    const before = await made('files', 7);
    const { body: patched } = await patch('files', before.id, { contentType: 'text/html' });
    const { body: pending } = await post('files', { name: 'pending' });
    for (const form of [patched, pending]) {
      const { status, text } = await send(form, MOST + 1);
      if (store === 'a folder') expect({ status, body: JSON.parse(text) }).toMatchObject(REFUSED);
      // Uploads to S3 send no notification; they are polled.
      else expect(status).toBe(204);
      expect(await test.app.get(UploadCompletion).pollFile(application.id, form.id)).toBe(false);
      const blobs = test.app.get<Blobs>(BLOBS);
      expect(await blobs.find(form.upload.fields.key)).toBeUndefined();
    }
    expect(await get('files', before.id)).toEqual({ ...before, lastUpdated: patched.lastUpdated });
    expect(await get('files', pending.id)).toMatchObject({ status: 'pending' });
    expect((await send(pending, MOST - 7)).status).toBe(204);
    expect(await get('files', pending.id)).toMatchObject({ status: 'completed', fileSize: MOST - 7 });
  });

  it('is not exceeded by concurrent uploads', async () => {
    const files: any[] = [];
    for (let i = 0; i < 8; i++)
      files.push((await post(i % 2 ? 'files' : 'privateFiles', { name: `${i}`, fileSize: 6 })).body);
    await Promise.all(files.map((file) => send(file, 6)));
    const shown = async () =>
      Promise.all(files.map(({ id }, i) => get(i % 2 ? 'files' : 'privateFiles', id)));
    await waitUntil(async () => (await shown()).filter(({ status }) => status === 'completed').length === 3);
    expect((await shown()).filter(({ status }) => status === 'pending')).toHaveLength(5);
  });

  it('applies to all applications and includes workflow storage', async () => {
    const elsewhere = await makeApplication(test, user.token);
    const flow = await makeFlow(test, user.token, elsewhere.id);
    const store = (key: string, value: string) =>
      test.client.patch(`/applications/${elsewhere.id}/flows/${flow.id}/storage`, { key, value }, token);
    await made('files', MOST - 10);
    expect(await store('a', '123456789')).toMatchObject(REFUSED);
    expect((await store('a', '1234567')).status).toBe(200);
    expect(await post('privateFiles', { name: 'b', fileSize: 1 }, elsewhere)).toMatchObject(REFUSED);
  });

  it('is not enforced for an owner without a limit', async () => {
    await limit(null);
    await made('files', MOST + 1);
    const { body } = await post('files', { name: 'any' });
    expect(await pass('files', body.id, 1_000)).toMatchObject({ status: 200 });
  });
});
