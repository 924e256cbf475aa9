import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests endpoints of experiences. */
export function drive(published: Published): void {
  it('manages endpoints of an experience and counts their requests', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: experienceEndpointId } = await api.experienceEndpoints!.post!({
      applicationId,
      experienceEndpoint: { method: 'get', route: '/my/route/{id}', access: 'public' },
    });
    const own = { applicationId, experienceEndpointId };
    expect(
      await api.experienceEndpoints!.get!({ applicationId, filterField: 'route', filter: '/MY/*' }),
    ).toMatchObject({ items: [{ id: experienceEndpointId, route: '/my/route/{id}' }], totalCount: 1 });
    expect(await api.experienceEndpoints!.stats!({ applicationId, statGrouping: 'endpointId' })).toEqual({});
    const experienceEndpoint = { access: 'group', experienceGroupIds: [] };
    expect(await api.experienceEndpoint!.patch!({ ...own, experienceEndpoint })).toMatchObject({
      access: 'group',
      experienceGroups: [],
    });
    expect(await api.experienceEndpoint!.get!({ ...own, version: 'develop' })).toMatchObject({
      access: 'group',
    });
    expect(
      await api.experienceEndpoint!.linkedResources!({ ...own, includeCustomNodes: 'True' }),
    ).toMatchObject({
      experienceViews: { totalCount: 0 },
      flows: { totalCount: 0 },
    });
    expect(await api.experienceEndpoint!.delete!({ ...own, includeWorkflows: 'True' })).toEqual({
      success: true,
    });
  });
}
