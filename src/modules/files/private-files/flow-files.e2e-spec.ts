import { STORES, suiteOn } from '../../../../test/doubles/blob-stores.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeOrg } from '../../../../test/make/make.js';
import { ResourceNodes } from '../../../../test/make/resource-nodes.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { WorkflowCalls } from '../../../platform/calls/workflow-calls.js';
import { RunFault } from '../../../workflows/engine/run-error.js';
import { FlowFiles } from './flow-files.js';

const MAX_BYTES = 5 * 1024 * 1024;

describe.each(STORES)('Nodes of files in %s', (store) => {
  const { test, user, application } = suiteOn(store, { PROCESS_ROLE: 'api' });
  const nodes = new ResourceNodes(test, user, application);
  const token = () => ({ token: user.token });
  const at = (path: string) => `/applications/${application.id}${path}`;
  const create = (config: object, payload = {}): Promise<any> =>
    nodes.resultOf('FileCreateNode', { fileNameTemplate: 'a.txt', ...config }, payload);
  const get = async (filePathTemplate: string, config: object = {}): Promise<any> => {
    const read = { filePathTemplate, destination: 'r', ...config };
    return ((await nodes.execute('FileGetNode', read)).payload as { r: unknown }).r;
  };
  const refused = (message: unknown) => ({ error: { type: 'FILE_CREATE_ERROR', message } });
  const listed = async (kind: string) => (await test.client.get(at(`/${kind}`), token())).body.items;

  it('FileCreateNode stores a public file, which FileGetNode reads', async () => {
    const file = await create(
      {
        fileNameTemplate: '{{n}}.csv',
        parentDirectoryTemplate: '/logs/{{n}}',
        contentTypeTemplate: 'text/csv; charset=utf-8',
        fileContentsTemplate: 'id,{{n}}\näöü',
      },
      { n: 'x' },
    );
    const shown = await test.client.get(at(`/file/${file.id}`), token());
    expect(file).toEqual(shown.body);
    expect(file).toMatchObject({
      name: 'x.csv',
      parentDirectory: '/logs/x/',
      contentType: 'text/csv; charset=utf-8',
      status: 'completed',
      fileSize: 11,
      authorType: 'flow',
      authorId: nodes.flow.id,
      url: expect.stringContaining('/logs/x/x.csv'),
    });
    expect(await get('/logs/x/x.csv')).toEqual({ value: 'id,x\näöü', metadata: file });
    expect(await get('logs/x/x.csv', { encodingTemplate: 'base64' })).toMatchObject({
      value: Buffer.from('id,x\näöü').toString('base64'),
    });
    expect(await get('/logs/x/x.csv', { isDownloadURL: true })).toEqual({ value: file.url, metadata: file });
  });

  it('stores and reads private files with a link', async () => {
    const file = await create({ private: true, fileContentsTemplate: 'secret', urlTTLTemplate: '60' });
    expect(file).toMatchObject({ name: 'a.txt', status: 'completed' });
    const content = await fetch(file.url.replace(test.config.publicUrl, test.client.url));
    expect(await content.text()).toBe('secret');
    expect((await get('/a.txt', { private: true })).value).toBe('secret');
    const link = await get('/a.txt', { private: true, isDownloadURL: true, urlTTLTemplate: '30' });
    expect(link.value).toBe(link.metadata.url);
    expect(await get('/a.txt')).toEqual({ error: { type: 'NotFound', message: 'File was not found' } });
    await expect(get('/a.txt', { private: true, urlTTLTemplate: '604801' })).rejects.toThrow(
      'urlTTLTemplate must be an integer from 0 to 604800',
    );
  });

  it('reads content in an encoding', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 45, 45]);
    const config = { fileContentsTemplate: bytes.toString('hex'), encodingTemplate: 'hex' };
    expect(await create(config)).toMatchObject({ fileSize: 6 });
    expect((await get('/a.txt', { encodingTemplate: 'hex' })).value).toBe(bytes.toString('hex'));
    expect(await create({ fileNameTemplate: 'empty' })).toMatchObject({ fileSize: 0 });
    expect((await get('/empty')).value).toBe('');
    await expect(create({ encodingTemplate: 'utf7' })).rejects.toThrow('encodingTemplate must be one of');
  });

  it('replaces a file only with shouldOverwrite', async () => {
    const first = await create({ fileContentsTemplate: 'one', contentTypeTemplate: 'text/plain' });
    expect(await create({ fileContentsTemplate: 'two' })).toEqual(refused('file.name is not available'));
    expect((await get('/a.txt')).value).toBe('one');
    const second = await create({ fileContentsTemplate: 'two', shouldOverwrite: true });
    expect(second).toMatchObject({ id: first.id, fileSize: 3, contentType: 'text/plain' });
    expect((await get('/a.txt')).value).toBe('two');
    const third = {
      fileContentsTemplate: '{}',
      shouldOverwrite: true,
      contentTypeTemplate: 'application/json',
    };
    expect(await create(third)).toMatchObject({ id: first.id, contentType: 'application/json' });
    expect(await listed('files')).toHaveLength(1);
  });

  it('stores the content of a URL', async () => {
    const calls: string[] = [];
    const http = {
      send: async (_actor: unknown, { url }: { url: string }) => {
        calls.push(url);
        if (url.endsWith('none')) throw new RunFault('RequestError', 'The other server cannot be reached');
        return { status: 200, headers: {}, body: Buffer.from([1, 2, 3]) };
      },
    };
    const config = { fileNameTemplate: 'b', fileUrlTemplate: 'https://x.example/{{p}}', resultPath: 'r' };
    const stored = async (p: string) =>
      ((await nodes.execute('FileCreateNode', config, { p }, { http: http as never })).payload as any).r;
    expect(await stored('pump')).toMatchObject({ fileSize: 3 });
    expect(await stored('none')).toEqual(refused('The other server cannot be reached'));
    expect(calls).toEqual(['https://x.example/pump', 'https://x.example/none']);
    await expect(create({ fileUrlTemplate: '{{none}}' })).rejects.toThrow('fileUrlTemplate is required');
  });

  it.each([
    [{ fileNameTemplate: 'a/b' }, 'file.name must not contain slashes'],
    [{ fileNameTemplate: 'a/b', shouldOverwrite: true }, 'file.name must not contain slashes'],
    [{ parentDirectoryTemplate: '/a/../b' }, 'file.parentDirectory must not contain the part ..'],
    [{ parentDirectoryTemplate: '/a/../b', shouldOverwrite: true }, 'must not contain the part ..'],
    [{ contentTypeTemplate: 'text' }, 'file.contentType must be a media type'],
    [{ contentTypeTemplate: 'text/plain\r\nX: y' }, 'file.contentType must be a media type'],
  ])('FileCreateNode writes the error for %j', async (config, message) => {
    expect(await create(config)).toEqual(refused(expect.stringContaining(message)));
    expect(await listed('files')).toEqual([]);
  });

  it('FileCreateNode writes the error for a directory and for a wrong type of new content', async () => {
    await create({ parentDirectoryTemplate: '/dir' });
    const directory = { fileNameTemplate: 'dir', shouldOverwrite: true };
    expect(await create(directory)).toEqual(refused('A directory cannot have content'));
    const overwriting = { parentDirectoryTemplate: '/dir', shouldOverwrite: true };
    const config = { ...overwriting, contentTypeTemplate: 'text/plain\r\nX: y' };
    expect(await create(config)).toEqual(refused('contentType must be a media type'));
    expect((await get('/dir/a.txt')).metadata.contentType).toBeUndefined();
  });

  it('FileGetNode writes errors', async () => {
    await create({ parentDirectoryTemplate: '/dir' });
    await test.client.post(at('/files'), { name: 'pending', type: 'file' }, token());
    const error = async (path: string) => (await get(path)).error;
    expect(await error('/none')).toEqual({ type: 'NotFound', message: 'File was not found' });
    expect(await error('/dir/a.txt/b')).toEqual({ type: 'NotFound', message: 'File was not found' });
    expect(await error('/')).toEqual({ type: 'NotFound', message: 'File was not found' });
    expect(await error('/dir')).toEqual({ type: 'Validation', message: 'The path is that of a directory' });
    expect(await error('/dir/../x')).toMatchObject({ type: 'Validation' });
    expect(await error('/pending')).toEqual({ type: 'Validation', message: 'The file has no content yet' });
    await expect(get('')).rejects.toThrow('filePathTemplate is required');
    await expect(get('/dir/a.txt', { destination: '' })).rejects.toThrow('destination is required');
  });

  it('FileGetNode refuses content of more than 5 MiB, but links to it', async () => {
    const { body } = await test.client.post(at('/files'), { name: 'large', type: 'file' }, token());
    const upload = (bytes: number) => {
      const form = new FormData();
      form.append('file', new Blob(['x'.repeat(bytes)]), 'large');
      return test.client.post(at(`/file/${body.id}/upload`), form, token());
    };
    expect((await upload(MAX_BYTES)).status).toBe(200);
    expect((await get('/large')).value).toHaveLength(MAX_BYTES);
    expect((await upload(MAX_BYTES + 1)).status).toBe(200);
    expect(await get('/large')).toEqual({
      error: { type: 'Validation', message: `The file has more than ${MAX_BYTES} bytes` },
    });
    expect((await get('/large', { isDownloadURL: true })).value).toContain('/large');
  });

  it('starts the workflows of a file', async () => {
    const config = { create: true, update: true, public: true };
    const trigger = { type: 'appFile', key: '/logs/', config, outputIds: [] };
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger] });
    for (const fileContentsTemplate of ['one', 'two'])
      await create({ parentDirectoryTemplate: '/logs', shouldOverwrite: true, fileContentsTemplate });
    const runs = await requestedRuns(test, { flowId: flow.id });
    expect(runs.map(({ trigger: { data } }) => data.action)).toEqual(['create', 'update']);
  });

  it('is subject to the limits of the owner and leaves no file that it could not fill', async () => {
    const limit = (limits: object) =>
      test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, limits]);
    await limit({ storage: 10 });
    const message = 'The limit of 10 bytes of workflow storage and files is reached';
    expect(await create({ fileContentsTemplate: 'x'.repeat(11) })).toEqual(refused(message));
    expect(await listed('files')).toEqual([]);
    await create({ fileContentsTemplate: 'x'.repeat(10) });
    const more = { fileContentsTemplate: 'y'.repeat(11), shouldOverwrite: true };
    expect(await create(more)).toEqual(refused(message));
    expect((await get('/a.txt')).value).toBe('x'.repeat(10));
    await limit({ file: 1 });
    expect(await create({ fileNameTemplate: 'b' })).toEqual(refused(expect.stringContaining('limit')));
    expect(await create({ fileContentsTemplate: 'z', shouldOverwrite: true })).toMatchObject({ fileSize: 1 });
  });

  it('is in the audit log of the organization', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const flow = await makeFlow(test, user.token, id);
    const actor = { id: 'run', applicationId: id, flowId: flow.id };
    const file = { name: 'a', type: 'file' };
    const created: any = await test.app.get(WorkflowCalls).call(actor, 'files.post', {}, file);
    const content = { content: Buffer.from('Secret-Text-5'), contentType: '' };
    const files = test.app.get(FlowFiles, { strict: false });
    expect(await files.upload(actor, false, created.result.id, content, {})).toMatchObject({
      result: { name: 'a', fileSize: 13 },
    });
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs?perPage=2`, token());
    expect(body.items).toMatchObject([
      { actorType: 'Flow', actorId: flow.id, requestResource: 'file', requestAction: 'upload' },
      { actorType: 'Flow', actorId: flow.id, requestResource: 'files', requestAction: 'post' },
    ]);
    expect(JSON.stringify(body)).not.toContain('Secret-Text-5');
  });

  it('cannot reach files of another application', async () => {
    const other = await makeApplication(test, user.token);
    const { body } = await test.client.post(
      `/applications/${other.id}/files`,
      { name: 'a.txt', type: 'file' },
      token(),
    );
    const content = { content: Buffer.from('x'), contentType: '' };
    expect(await nodes.files.upload({} as never, false, body.id, content, {})).toMatchObject({
      error: { statusCode: 404 },
    });
    expect(await nodes.files.read({} as never, false, body.id)).toMatchObject({ error: { statusCode: 404 } });
    expect(await get('/a.txt')).toMatchObject({ error: { type: 'NotFound' } });
  });
});
