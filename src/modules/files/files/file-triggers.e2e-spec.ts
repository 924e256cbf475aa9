import { makeFlow } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { reachable, upload } from '../../../../test/make/upload-forms.js';
import { requestedRuns } from '../../../../test/make/runs.js';

const { test, user, application } = suite();
const ALL = { create: true, update: true, delete: true, public: true };
const token = () => ({ token: user.token });
const path = (rest: string) => `/applications/${application.id}${rest}`;
const listens = (key: string, config: object = ALL) =>
  makeFlow(test, user.token, application.id, { triggers: [{ type: 'appFile', key, config, outputIds: [] }] });
const complete = async (name: string, parentDirectory: string, list = '/files') => {
  const { body } = await test.client.post(path(list), { name, parentDirectory, type: 'file' }, token());
  await upload(reachable(body.upload, test), 'content');
  return body as { id: string };
};
const heard = async ({ id }: { id: string }): Promise<string[]> => {
  const rows = await requestedRuns(test, { flowId: id });
  return rows.map(({ trigger: { data } }) => `${data.action} ${data.file.parentDirectory}${data.file.name}`);
};

describe('Workflows triggered by a file', () => {
  it('run for the file or a directory above it', async () => {
    const keys = ['/', '/a/', '/a/b/', '/a/b/f', '/a/b', '/c/'];
    const flows = await Promise.all(keys.map((key) => listens(key)));
    await complete('f', '/a/b');
    const counts = await Promise.all(flows.map(async (flow) => (await heard(flow)).length));
    expect(counts).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('run when it is created, updated, moved and deleted', async () => {
    const flow = await listens('/');
    const { id } = await complete('f', '/a');
    const { body } = await test.client.patch(path(`/file/${id}`), {}, token());
    await upload(reachable(body.upload, test), 'other');
    for (const name of ['f', 'g'])
      await test.client.post(path(`/file/${id}/move?name=${name}`), undefined, token());
    await test.client.delete(path(`/file/${id}`), token());
    expect(await heard(flow)).toEqual([
      'create /a/f',
      'update /a/f',
      'delete /a/f',
      'create /a/g',
      'delete /a/g',
    ]);
  });

  it('run only for the kinds and changes that they select', async () => {
    const flows = [
      await listens('/', { create: true, private: true }),
      await listens('/', { create: true, public: true }),
      await listens('/', { delete: true, public: true, private: true }),
    ];
    await complete('f', '/', '/privateFiles');
    const counts = await Promise.all(flows.map(async (flow) => (await heard(flow)).length));
    expect(counts).toEqual([1, 0, 0]);
  });
});
