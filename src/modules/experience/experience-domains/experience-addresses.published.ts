import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests the addresses of an experience: its slugs and domains. */
export function drive(published: Published): void {
  it('manages slugs and domains of an experience', async () => {
    const { api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: uniqueName() } });
    const { id: applicationId } = await api.applications!.post!({
      application: { name: uniqueName(), orgId },
    });
    const slug = uniqueName('slug');
    const { id: experienceSlugId } = await api.experienceSlugs!.post!({
      applicationId,
      experienceSlug: { slug },
    });
    const ofSlug = { applicationId, experienceSlugId };
    expect((await api.experienceSlugs!.get!({ applicationId })).items).toMatchObject([
      { slug: applicationId },
      { slug, version: 'develop' },
    ]);
    const renamed = { slug: `${slug}-2` };
    expect(await api.experienceSlug!.patch!({ ...ofSlug, experienceSlug: renamed })).toMatchObject(renamed);
    expect(await api.experienceSlug!.get!(ofSlug)).toMatchObject(renamed);
    expect(await api.experienceSlug!.delete!(ofSlug)).toEqual({ success: true });
    const domainName = `${uniqueName('d')}.example.com`;
    const { id: experienceDomainId } = await api.experienceDomains!.post!({
      applicationId,
      experienceDomain: { domainName },
    });
    const ofDomain = { applicationId, experienceDomainId };
    expect((await api.experienceDomains!.get!({ applicationId })).items).toMatchObject([{ domainName }]);
    const pointed = { version: 'develop' };
    expect(await api.experienceDomain!.patch!({ ...ofDomain, experienceDomain: pointed })).toMatchObject(
      pointed,
    );
    expect(await api.experienceDomain!.get!(ofDomain)).toMatchObject({ domainName, ...pointed });
    expect(await api.experienceDomain!.delete!(ofDomain)).toEqual({ success: true });
  });
}
