import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests views and versions of an experience, in the order in which the published CLI requests them. */
export function drive(published: Published): void {
  it('manages views of an experience and creates versions', async () => {
    const { api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: uniqueName() } });
    const { id: applicationId } = await api.applications!.post!({
      application: { name: uniqueName(), orgId },
    });
    const list = { applicationId, page: 0, perPage: 1000 };
    expect((await api.experienceViews!.get!({ ...list, viewType: 'page' })).items).toEqual([]);
    const layout = { name: 'frame', viewType: 'layout', body: '<main>{{ page }}</main>' };
    const { id: layoutId } = await api.experienceViews!.post!({ applicationId, experienceView: layout });
    const page = { name: 'alarms', viewType: 'page', body: 'first', layoutId };
    const { id: experienceViewId } = await api.experienceViews!.post!({
      applicationId,
      experienceView: page,
    });
    const own = { applicationId, experienceViewId };
    const experienceView = { body: 'second' };
    expect(await api.experienceView!.patch!({ ...own, experienceView })).toMatchObject(experienceView);
    const version = 'v1.0.0';
    const experienceDomain = { domainName: `${uniqueName()}.example.com` };
    const domain = await api.experienceDomains!.post!({ applicationId, experienceDomain });
    const { items: slugs } = await api.experienceSlugs!.get!({ applicationId });
    const pointed = { domainIds: [domain.id], slugIds: slugs.map(({ id }: { id: string }) => id) };
    const experienceVersion = { version, description: 'The first', ...pointed };
    const made = await api.experienceVersions!.post!({ applicationId, experienceVersion });
    expect(made).toMatchObject({
      version,
      attachedDomains: [{ id: domain.id, ...experienceDomain }],
      attachedSlugs: [{ id: applicationId, slug: applicationId }],
    });
    const atDomain = { applicationId, experienceDomainId: domain.id };
    expect(await api.experienceDomain!.get!(atDomain)).toMatchObject({ version });
    await api.experienceView!.patch!({ ...own, experienceView: { body: 'third' } });
    expect(await api.experienceView!.get!({ ...own, version })).toMatchObject({
      body: 'second',
      layoutName: 'frame',
    });
    const found = await api.experienceVersions!.get!({
      applicationId,
      filterField: 'version',
      filter: 'v1.*',
    });
    expect(found.items).toMatchObject([{ id: made.id, version, description: 'The first' }]);
    const named = { applicationId, experienceVersionIdOrName: version };
    const changed = { endpointDefaultCors: true };
    expect(await api.experienceVersion!.patch!({ ...named, experienceVersion: changed })).toMatchObject(
      changed,
    );
    expect(await api.experienceVersion!.get!(named)).toMatchObject({ id: made.id, ...changed });
    const links = await api.experienceView!.linkedResources!({ ...own, includeCustomNodes: true });
    expect(links.experienceViews.items).toMatchObject([{ id: layoutId }]);
    expect(await api.experienceVersion!.delete!(named)).toEqual({ success: true });
    expect(await api.experienceDomain!.get!(atDomain)).not.toHaveProperty('version');
    expect(await api.experienceView!.delete!(own)).toEqual({ success: true });
  });
}
