import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests applications, their contents except workflows, and tokens. */
export function drive(published: Published): void {
  it('manages applications', async () => {
    const { user, api } = await published.signedIn();
    const name = uniqueName('pumps');
    const { id: applicationId } = await api.applications!.post!({ application: { name } });
    const own = { applicationId };
    expect(
      await api.applications!.get!({ filterField: 'name', filter: `${name}*`, perPage: 5 }),
    ).toMatchObject({
      count: 1,
      totalCount: 1,
      perPage: 5,
      items: [{ id: applicationId, applicationId, ownerId: user.id }],
    });
    const change = { application: { description: 'Pumps' }, summaryInclude: 'flowCount' };
    expect(await api.application!.patch!({ ...own, ...change })).toMatchObject({
      description: 'Pumps',
      summary: { flowCount: 0 },
    });
    const globals = [{ key: 'region', json: '"eu"' }];
    expect(await api.application!.globals!({ ...own, globals })).toMatchObject({ globals });
    const readme = { content: '# Pumps' };
    expect(await api.application!.readmePatch!({ ...own, readme })).toMatchObject(readme);
    expect(await api.application!.readme!(own)).toMatchObject(readme);
    const data = { itemType: 'application', itemId: applicationId };
    expect(await api.me!.addRecentItem!({ data })).toMatchObject({ itemType: 'application' });
    expect(await api.me!.fetchRecentItems!({ itemType: 'application' })).toMatchObject({ items: [{ name }] });
    expect(await api.application!.get!(own)).toMatchObject({ name, description: 'Pumps' });
    expect(await api.application!.delete!(own)).toEqual({ success: true });
    await expect(api.application!.get!(own)).rejects.toMatchObject({ statusCode: 404, type: 'NotFound' });
    await expect(api.applications!.post!({ application: {} })).rejects.toMatchObject({
      statusCode: 400,
      type: 'Validation',
      message: expect.stringMatching(/^application\.name /),
    });
  });

  it('manages access keys', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const applicationKey = { name: 'Pumps', deviceTags: [{ key: 'site', value: 'north' }] };
    const made = await api.applicationKeys!.post!({ applicationId, applicationKey });
    expect(made).toMatchObject({ ...applicationKey, key: expect.any(String), secret: expect.any(String) });
    const query = { name: { $startsWith: 'Pu' } };
    const { items } = await api.applicationKeys!.get!({ applicationId, query });
    expect(items).toMatchObject([{ id: made.id, status: 'active' }]);
    const own = { applicationId, applicationKeyId: made.id };
    expect(
      await api.applicationKey!.patch!({ ...own, applicationKey: { status: 'inactive' } }),
    ).toMatchObject({ status: 'inactive' });
    expect(await api.applicationKey!.get!(own)).not.toHaveProperty('secret');
    expect(await api.applicationKey!.delete!(own)).toEqual({ success: true });
  });

  it('manages working tokens of applications and users', async () => {
    const { user, api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const apiToken = { name: 'Report', scope: ['all.Application.read'] };
    const made = await api.applicationApiTokens!.post!({ applicationId, apiToken });
    const reader = published.client(made.token);
    expect(await reader.application!.get!({ applicationId })).toMatchObject({ id: applicationId });
    const change = { application: { name: 'x' } };
    await expect(reader.application!.patch!({ applicationId, ...change })).rejects.toMatchObject({
      statusCode: 403,
      type: 'Forbidden',
    });
    const own = { applicationId, apiTokenId: made.id };
    expect(await api.applicationApiTokens!.get!({ applicationId })).toMatchObject({ count: 1 });
    expect(await api.applicationApiToken!.get!(own)).toMatchObject({ name: 'Report' });
    await api.applicationApiToken!.patch!({ ...own, apiToken: { status: 'inactive' } });
    await expect(reader.application!.get!({ applicationId })).rejects.toMatchObject({ statusCode: 401 });
    expect(await api.applicationApiToken!.delete!(own)).toEqual({ success: true });

    const mine = await api.userApiTokens!.post!({ apiToken: { name: 'Mine', scope: ['all.User.read'] } });
    expect(await published.client(mine.token).me!.get!()).toMatchObject({ id: user.id });
    const { id: apiTokenId } = mine;
    expect((await api.userApiTokens!.get!()).items).toMatchObject([{ id: apiTokenId }]);
    expect(await api.userApiToken!.get!({ apiTokenId })).toMatchObject({ name: 'Mine' });
    expect(await api.userApiToken!.patch!({ apiTokenId, apiToken: { name: 'Yours' } })).toMatchObject({
      name: 'Yours',
    });
    expect(await api.userApiToken!.delete!({ apiTokenId })).toEqual({ success: true });
  });

  it('creates tokens that have already expired and are rejected', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const apiToken = { name: 'Late', scope: ['me.get'], expirationDate: '2020-01-01T00:00:00.000Z' };
    const { token } = await api.applicationApiTokens!.post!({ applicationId, apiToken });
    await expect(published.client(token).application!.get!({ applicationId })).rejects.toMatchObject({
      statusCode: 401,
    });
  });
}
