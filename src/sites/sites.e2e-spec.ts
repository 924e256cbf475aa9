import { reply, SITES, TestSite } from '../../test/make/sites.js';
import { suite } from '../../test/setup/suite.js';

const { test, user, application } = suite(SITES, { database: 'own' });
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
});

describe('A request to a site', () => {
  it('is answered by the reply of a workflow', async () => {
    await site.replying('/hello/{name}', {
      replyType: 'custom',
      bodyTemplate: 'Hello {{data.params.name}}, {{data.method}} {{data.path}}',
      responseCodeTemplate: '201',
    });
    const answer = await site.visit('/hello/Ada%20L');
    expect([answer.status, answer.text]).toEqual([201, 'Hello Ada L, get /hello/Ada%20L']);
  });

  it('is answered with 404 by a host or route that does not exist', async () => {
    expect(await site.visit('/', { host: 'nobody.sites.test' })).toMatchObject({
      status: 404,
      text: '{"error":"No experience found for domain"}',
    });
    expect(await site.visit('/')).toMatchObject({
      status: 404,
      text: '{"error":"No endpoint found for route"}',
    });
  });

  it('is answered by a static page', async () => {
    await site.page('/', '<h1>{{application.name}}</h1>{{request.query.a}}');
    const answer = await site.visit('/?a=<b>');
    expect(answer.text).toBe(`<h1>${application.name}</h1>&lt;b&gt;`);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('is answered by a page of a workflow', async () => {
    const { id } = await site.view('page', 'P', '<p>{{pageData.n}} {{flow.name}} {{globals.g}}</p>');
    const endpoint = await site.endpoint('/p');
    await site.flow(
      endpoint,
      {
        type: 'MutateNode',
        config: { rules: [{ type: 'set', valueTemplate: '7', destination: 'working.n' }] },
      },
      reply({ replyType: 'page', pageIdTemplate: id, bodyTemplateType: 'path', bodyTemplate: 'working' }),
    );
    expect((await site.visit('/p')).text).toMatch(/^<p>7 flow-\w+ <\/p>$/);
  });
});
