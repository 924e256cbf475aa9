import { uniqueName } from '../../../../test/make/make.js';
import { reachable, upload } from '../../../../test/make/upload-forms.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests files of applications. */
export function drive(published: Published): void {
  it('uploads, lists, moves and deletes files', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const file = await api.files!.post!({
      applicationId,
      file: { name: 'a.txt', type: 'file', parentDirectory: '/texts/', contentType: 'text/plain' },
    });
    await upload(reachable(file.upload, published.test), 'content');
    const own = { applicationId, fileId: file.id };
    expect(await api.file!.get!(own)).toMatchObject({ status: 'completed', fileSize: 7 });
    expect((await api.files!.get!({ applicationId, directory: '/texts' })).items).toMatchObject([
      { id: file.id, parentDirectory: '/texts/' },
    ]);
    const patched = await api.file!.patch!({ ...own, updates: { contentType: 'text/csv' } });
    expect(patched.upload.fields).toMatchObject({ key: expect.any(String) });
    expect(await api.file!.upload!({ ...own, file: Buffer.from('a,b') })).toMatchObject({ fileSize: 3 });
    expect(await api.file!.move!({ ...own, name: 'b.txt', parentDirectory: '/' })).toMatchObject({
      name: 'b.txt',
      parentDirectory: '/',
    });
    expect(await api.file!.delete!(own)).toEqual({ success: true });
  });
}
