import { scopedToken } from '../../../../test/make/api-tokens.js';
import { makeApplication } from '../../../../test/make/make.js';
import { blackBox } from '../../../../test/setup/black-box.js';

const { test, user, application } = blackBox();

const post = (path: string, body: object, of = application) =>
  test.client.post(`/applications/${of.id}/${path}`, body, { token: user.token });
const search = (filter: string, token = user.token) =>
  test.client.get(`/applications/${application.id}/search?filter=${encodeURIComponent(filter)}`, { token });
const namesOf = async (filter: string) => (await search(filter)).body.map(({ name }: any) => name);

describe('Application search', () => {
  it('finds resources by name, each with its class', async () => {
    const device = (await post('devices', { name: 'North Pump', deviceClass: 'gateway' })).body;
    const flow = (await post('flows', { name: 'pump alarm' })).body;
    const hook = (await post('webhooks', { name: 'PUMPS' })).body;
    await post('devices', { name: 'Valve' });
    const gone = (await post('devices', { name: 'Old pump' })).body;
    await test.client.delete(`/applications/${application.id}/devices/${gone.id}`, { token: user.token });
    const other = await makeApplication(test, user.token);
    await post('devices', { name: 'Pump of others' }, other);
    const { status, body } = await search('pump');
    expect([status, body]).toEqual([
      200,
      [
        { _type: 'device', id: device.id, name: 'North Pump', deviceClass: 'gateway' },
        { _type: 'flow', id: flow.id, name: 'pump alarm', flowClass: 'cloud' },
        { _type: 'webhook', id: hook.id, name: 'PUMPS' },
      ],
    ]);
  });

  it('finds parts of an experience and integrations', async () => {
    const view = (await post('experience/views', { name: 'Pumps', viewType: 'page', body: '' })).body;
    const slug = (await post('experience/slugs', { slug: 'pump-station' })).body;
    const version = (await post('experience/versions', { version: 'pump-1' })).body;
    const particleConfig = { accessToken: 'Zx8pQ4' };
    const given = { name: 'Pump events', integrationType: 'particle', particleConfig };
    const integration = (await post('integrations', given)).body;
    expect((await search('pump')).body).toEqual([
      { _type: 'experienceSlug', id: slug.id, name: 'pump-station' },
      { _type: 'experienceVersion', id: version.id, name: 'pump-1' },
      { _type: 'experienceView', id: view.id, name: 'Pumps', viewType: 'page' },
      { _type: 'integration', id: integration.id, name: 'Pump events' },
    ]);
  });

  it('does not find the default slug, which is the ID of the application', async () => {
    expect(await namesOf(application.id)).toEqual([]);
  });

  it('supports wildcards and matches other characters literally', async () => {
    for (const name of ['50% full', '50 full', 'a_b', 'axb', 'a*b']) await post('devices', { name });
    expect(await namesOf('50%')).toEqual(['50% full']);
    expect(await namesOf('a_b')).toEqual(['a_b']);
    expect(await namesOf('a\\*b')).toEqual(['a*b']);
    expect(await namesOf('5*full')).toEqual(['50 full', '50% full']);
    expect(await namesOf('nothing')).toEqual([]);
  });

  it('returns at most 20 resources per type', async () => {
    const names = Array.from({ length: 21 }, (_, i) => `pump ${String(i).padStart(2, '0')}`);
    await Promise.all(names.map((name) => post('webhooks', { name })));
    expect(await namesOf('pump')).toEqual(names.slice(0, 20));
  });

  it.each([
    ['', 'filter is required'],
    ['x'.repeat(256), 'filter must have at most 255 characters'],
  ])('rejects the filter %j', async (filter, message) => {
    const { status, body } = await search(filter);
    expect([status, body.message]).toEqual([400, message]);
  });

  it('requires a token, a matching scope and access to the application', async () => {
    expect((await test.client.get(`/applications/${application.id}/search?filter=a`)).status).toBe(401);
    expect((await search('a', await scopedToken(test, user, ['application.get']))).status).toBe(403);
    expect((await search('a', await scopedToken(test, user, ['application.search']))).status).toBe(200);
    expect((await search('a', (await test.anotherUser()).token)).status).toBe(404);
  });
});
