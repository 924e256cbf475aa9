import { makeFlow, makeVersion } from '../../test/make/flows.js';
import { uniqueName } from '../../test/make/make.js';
import { reply, SITES, sitesPort, TestSite, visit } from '../../test/make/sites.js';
import { suite } from '../../test/setup/suite.js';
import { waitUntil } from '../../test/setup/until.js';
import { Replies } from '../workflows/runs/replies.js';

const ANY = '0'.repeat(24);
const { test, other, user, application } = suite(SITES, { database: 'own' });
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
});

/** A workflow of the application. */
const cloud = (body: object) => makeFlow(test, user.token, application.id, { flowClass: 'cloud', ...body });
const trigger = (key: string, config: object = {}) => ({
  type: 'endpoint',
  key,
  config,
  outputIds: [['reply']],
});
const replyNode = (text: string, more: object = {}) => ({
  id: 'reply',
  ...reply({ bodyTemplate: text, ...more }),
  outputIds: [],
});
/** Lets requests wait for a short time, and returns a function that undoes it. */
function withTimeout(milliseconds: number): () => void {
  const all = [test, other].map(({ app }) => app.get(Replies, { strict: false }));
  for (const replies of all) replies.timeoutMs = milliseconds;
  return () => {
    for (const replies of all) replies.timeoutMs = 60_000;
  };
}

describe('A request to an endpoint', () => {
  it('starts the workflows of its version, as they are in it', async () => {
    const endpoint = await site.endpoint('/v');
    const { id } = await site.flow(
      endpoint,
      reply({ bodyTemplate: 'first {{experience.version}} {{flowVersion}}' }),
    );
    const { id: slugId } = await site.call('post', 'experience/slugs', { slug: uniqueName('slug') });
    await site.call('post', 'experience/versions', { version: 'v1', slugIds: [slugId] });
    const { slug } = await site.call('get', `experience/slugs/${slugId}`);
    const host = `${slug}.sites.test`;
    await site.call('patch', `flows/${id}`, { nodes: [{ ...replyNode('second'), id: 'n0' }] });
    expect((await site.visit('/v')).text).toBe('second');
    expect((await site.visit('/v', { host })).text).toBe('first v1 v1');
  });

  it('starts workflows of the application that listen to its version, or to any', async () => {
    const endpoint = await site.endpoint('/c');
    const flow = await cloud({
      triggers: [trigger(endpoint.id)],
      nodes: [replyNode('cloud {{flowVersion}}')],
    });
    expect((await site.visit('/c')).text).toBe('cloud develop');
    await makeVersion(test, user.token, flow, {
      version: '1.0',
      triggers: [trigger(endpoint.id)],
      nodes: [replyNode('version {{flowVersion}}')],
    });
    expect((await site.visit('/c', { headers: { 'x-flow-version': '1.0' } })).text).toBe('version 1.0');
    const undo = withTimeout(300);
    try {
      await site.call('patch', `flows/${flow.id}`, {
        triggers: [trigger(endpoint.id, { experienceVersion: 'v9' })],
      });
      expect((await site.visit('/c')).status).toBe(504);
    } finally {
      undo();
    }
  });

  it('times out if no workflow replies, also if none listens', async () => {
    const undo = withTimeout(300);
    try {
      await site.endpoint('/alone');
      const silent = await site.endpoint('/silent');
      await site.flow(silent, { type: 'DebugNode' });
      for (const path of ['/alone', '/silent'])
        expect(await site.visit(path)).toMatchObject({
          status: 504,
          text: '{"error":"Time out waiting for workflow reply"}',
        });
    } finally {
      undo();
    }
  });

  it('is answered by the first reply only', async () => {
    const endpoint = await site.endpoint('/twice');
    await site.flow(endpoint, reply({ bodyTemplate: 'one' }), reply({ bodyTemplate: 'two' }));
    expect((await site.visit('/twice')).text).toBe('one');
  });

  it('is answered by another workflow of the application, later and in another process', async () => {
    const endpoint = await site.endpoint('/later');
    // Stores the ID under which a button replies.
    const waiting = await site.flow(endpoint, {
      type: 'StoreValueNode',
      config: { keyName: 'replyId', valueType: 'template', value: '{{data.replyId}}' },
    });
    const answering = await cloud({
      triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['reply']] }],
      nodes: [
        replyNode('{"said": "{{data.said}}"}', {
          headerInfo: [{ keyTemplate: 'Content-Type', valueTemplate: 'application/json' }],
        }),
      ],
    });
    for (const platform of [test, other]) {
      const answer = visit(sitesPort(platform), '/later', { host: site.host });
      let replyId: string | undefined;
      await waitUntil(async () => {
        const { replyId: stored } = await site.call('get', `flows/${waiting.id}/storage`);
        const isNew = stored !== undefined && stored !== '' && stored !== replyId;
        replyId = stored;
        return isNew;
      });
      await site.call('post', `flows/${answering.id}/virtualButton`, {
        key: 'go',
        payload: { replyId, said: 'late' },
      });
      const { status, headers, json } = await answer;
      expect([status, headers['content-type'], json]).toEqual([200, 'application/json', { said: 'late' }]);
      await site.call('patch', `flows/${waiting.id}/storage`, { key: 'replyId', value: '' });
    }
  });

  it('is not answered by another application', async () => {
    const undo = withTimeout(1_500);
    try {
      const endpoint = await site.endpoint('/own');
      const flow = await site.flow(endpoint, {
        type: 'StoreValueNode',
        config: { keyName: 'replyId', valueType: 'template', value: '{{data.replyId}}' },
      });
      const answer = site.visit('/own');
      let replyId: string | undefined;
      await waitUntil(async () => {
        ({ replyId } = await site.call('get', `flows/${flow.id}/storage`));
        return replyId !== undefined;
      });
      const foreign = await test.client.post('/applications', { name: uniqueName() }, { token: user.token });
      const answering = await makeFlow(test, user.token, foreign.body.id, {
        triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['reply']] }],
        nodes: [replyNode('stolen')],
      });
      const press = `/applications/${foreign.body.id}/flows/${answering.id}/virtualButton`;
      await test.client.post(press, { key: 'go', payload: { replyId } }, { token: user.token });
      expect((await answer).status).toBe(504);
    } finally {
      undo();
    }
  });

  it('starts no workflow if it is refused, except those that listen to all', async () => {
    const endpoint = await site.endpoint('/secret', { access: 'authenticated' });
    const count = (key: string) =>
      site.flow(key, {
        type: 'StoreValueNode',
        config: { keyName: 'path', valueType: 'template', value: '{{triggerId}} {{data.path}}' },
      });
    const [specific, any] = [await count(endpoint.id), await count(ANY)];
    const stored = (flow: any) => site.call('get', `flows/${flow.id}/storage`);
    expect((await site.visit('/secret')).status).toBe(401);
    await waitUntil(async () => (await stored(any)).path === `${ANY} /secret`);
    expect((await site.visit('/missing')).status).toBe(404);
    await waitUntil(async () => (await stored(any)).path === `${ANY} /missing`);
    expect(await stored(specific)).toEqual({});
  });

  it('starts workflows that listen to all in the version that it names, if it is refused', async () => {
    const flow = await cloud({ triggers: [], nodes: [] });
    const config = { keyName: 'path', valueType: 'template', value: '{{flowVersion}} {{data.path}}' };
    await makeVersion(test, user.token, flow, {
      version: '1.0',
      triggers: [trigger(ANY)],
      nodes: [{ id: 'reply', type: 'StoreValueNode', config, outputIds: [[]] }],
    });
    const headers = { 'x-flow-version': '1.0' };
    expect((await site.visit('/missing', { headers })).status).toBe(404);
    await waitUntil(async () => (await site.call('get', `flows/${flow.id}/storage`)).path === '1.0 /missing');
  });

  it('with a static reply also starts its workflows, whose replies are ignored', async () => {
    const { id } = await site.view('page', 'static', 'static');
    const endpoint = await site.endpoint('/static', {
      staticReply: { type: 'page', value: id, statusCode: 202 },
    });
    const flow = await site.flow(endpoint, reply({ bodyTemplate: 'workflow' }), {
      type: 'StoreValueNode',
      config: { keyName: 'ran', valueType: 'template', value: 'yes' },
    });
    expect(await site.visit('/static')).toMatchObject({ status: 202, text: 'static' });
    await waitUntil(async () => (await site.call('get', `flows/${flow.id}/storage`)).ran === 'yes');
  });
});

describe('A workflow that fails', () => {
  const THROW = { type: 'ThrowErrorNode', config: { messageTemplate: 'Broken {{data.path}}' } };

  it('is answered by its own trigger of errors, with its data', async () => {
    const endpoint = await site.endpoint('/local');
    await makeFlow(test, user.token, application.id, {
      flowClass: 'experience',
      triggers: [
        { type: 'endpoint', key: endpoint.id, outputIds: [['throw']] },
        { type: 'flowError', key: 'local', config: { scope: 'local' }, outputIds: [['reply']] },
      ],
      nodes: [
        { id: 'throw', ...THROW, outputIds: [] },
        replyNode('{{data.path}}: {{data.errorInfo.error.message}}', { responseCodeTemplate: '500' }),
      ],
    });
    expect(await site.visit('/local')).toMatchObject({ status: 500, text: '/local: Broken /local' });
  });

  it('is answered by a page of the experience, which has the request', async () => {
    const { id } = await site.view(
      'page',
      'error',
      '{{request.path}} {{pageData.errorInfo.error.message}} {{experience.endpoint.route}}',
    );
    await makeFlow(test, user.token, application.id, {
      flowClass: 'experience',
      triggers: [
        { type: 'flowError', key: 'experience', config: { scope: 'experience' }, outputIds: [['reply']] },
      ],
      nodes: [
        replyNode('data', {
          replyType: 'page',
          pageIdTemplate: id,
          bodyTemplateType: 'path',
          responseCodeTemplate: '500',
          replyIdPath: 'data.erroredPayload.data.replyId',
        }),
      ],
    });
    await site.flow(await site.endpoint('/fails/{n}'), THROW);
    expect(await site.visit('/fails/1')).toMatchObject({
      status: 500,
      text: '/fails/1 Broken /fails/1 /fails/{n}',
    });
  });

  it('does not answer by itself', async () => {
    const undo = withTimeout(300);
    try {
      await site.flow(await site.endpoint('/fails'), THROW);
      const answer = await site.visit('/fails');
      expect(answer.status).toBe(504);
      expect(answer.text).not.toMatch(/Broken|at /);
    } finally {
      undo();
    }
  });
});
