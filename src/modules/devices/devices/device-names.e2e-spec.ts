import { blackBox } from '../../../../test/setup/black-box.js';

const { test, user, application } = blackBox();
let path: string;

beforeEach(async () => {
  path = `/applications/${application.id}/devices`;
  await made({ name: 'Pump', tags: [tag('site', 'north'), tag('site', 'South'), tag('Zone', '%_é')] });
  await made({ name: 'pipe', tags: [tag('site', 'northwest')], attributes: [attribute('flow', 'number')] });
  const gone = await made({ name: 'gone', tags: [tag('old', '1')], attributes: [attribute('old', 'gps')] });
  await test.client.delete(`${path}/${gone.id}`, { token: user.token });
  await made({ name: 'Valve', attributes: [attribute('open', 'boolean'), attribute('flow', 'string')] });
});

const tag = (key: string, value: string) => ({ key, value });
const attribute = (name: string, dataType: string) => ({ name, dataType });
const made = async (body: object) => (await test.client.post(path, body, { token: user.token })).body;
const get = async (action: string, query: Record<string, string> = {}) => {
  const { status, body } = await test.client.get(`${path}/${action}?${String(new URLSearchParams(query))}`, {
    token: user.token,
  });
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  return body;
};

it('Tag keys are listed once each, without those of deleted devices', async () => {
  expect(await get('tagKeys')).toEqual({ tagKeys: ['Zone', 'site'] });
  expect(await get('tagKeys', { startsWith: 's' })).toEqual({ tagKeys: ['site'] });
  expect(await get('tagKeys', { startsWith: 'old' })).toEqual({ tagKeys: [] });
  expect(await get('tagKeys', { query: '{"name":"pipe"}' })).toEqual({ tagKeys: ['site'] });
});

it('Tag values are those of one key', async () => {
  expect(await get('tagValues', { key: 'site' })).toEqual({
    tagKey: 'site',
    tagValues: ['South', 'north', 'northwest'],
  });
  expect((await get('tagValues', { key: 'site', startsWith: 'north' })).tagValues).toEqual([
    'north',
    'northwest',
  ]);
  expect((await get('tagValues', { key: 'Zone', startsWith: '%_' })).tagValues).toEqual(['%_é']);
  expect(
    (await get('tagValues', { key: 'site', query: '{"name":"Pump"}', startsWith: 'n' })).tagValues,
  ).toEqual(['north']);
  expect((await get('tagValues', { key: 'none' })).tagValues).toEqual([]);
  const { body } = await test.client.get(`${path}/tagValues`, { token: user.token });
  expect(body).toEqual({ type: 'Validation', message: 'key is required' });
});

it('Attribute names can be filtered by data type', async () => {
  expect(await get('attributeNames')).toEqual({ attributeNames: ['flow', 'open'] });
  expect((await get('attributeNames', { dataType: 'boolean' })).attributeNames).toEqual(['open']);
  expect((await get('attributeNames', { dataType: '["string","boolean"]' })).attributeNames).toEqual([
    'flow',
    'open',
  ]);
  expect((await get('attributeNames', { dataType: 'gps' })).attributeNames).toEqual([]);
  expect((await get('attributeNames', { startsWith: 'o' })).attributeNames).toEqual(['open']);
  expect(
    (await get('attributeNames', { query: '{"name":"pipe"}', dataType: 'number' })).attributeNames,
  ).toEqual(['flow']);
  const { status } = await test.client.get(`${path}/attributeNames?dataType=text`, { token: user.token });
  expect(status).toBe(400);
});

it('Device names are listed with IDs and classes', async () => {
  const { deviceSummary } = await get('deviceNames');
  const names = deviceSummary.map(({ name }: { name: string }) => name);
  expect([...names].sort()).toEqual(['Pump', 'Valve', 'pipe']);
  expect(deviceSummary[0]).toEqual({ id: expect.any(String), name: names[0], deviceClass: 'standalone' });
  expect((await get('deviceNames', { startsWith: 'P' })).deviceSummary).toHaveLength(1);
  expect((await get('deviceNames', { query: '{"tags":{"site":"north"}}' })).deviceSummary).toHaveLength(1);
});
