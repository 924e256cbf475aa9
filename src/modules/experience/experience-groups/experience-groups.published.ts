import { makeApplication, uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests users of experiences and their groups. */
export function drive(published: Published): void {
  it('manages experience users and groups, and counts the devices of groups', async () => {
    const { api, user } = await published.signedIn();
    const { id: applicationId } = await makeApplication(published.test, user.token);
    const device = { name: uniqueName(), tags: [{ key: 'site', value: 'north' }] };
    await api.devices!.post!({ applicationId, device });
    const groups = await Promise.all(
      ['North', 'South'].map((name) =>
        api.experienceGroups!.post!({ applicationId, experienceGroup: { name } }),
      ),
    );
    const [north, south] = groups.map(({ id }) => String(id)) as [string, string];
    const email = `${uniqueName()}@example.com`;
    const { id: experienceUserId } = await api.experienceUsers!.post!({
      applicationId,
      experienceUser: { email, password: 'Correct-Horse-7', experienceGroupIds: [north] },
    });
    await api.experienceGroup!.patch!({
      applicationId,
      experienceGroupId: south,
      experienceGroup: { parentId: north, deviceTags: [{ key: 'site' }] },
    });
    expect((await api.experienceGroups!.get!({ applicationId })).items).toMatchObject([
      { id: north, experienceUserIds: [experienceUserId], ancestorIds: [] },
      { id: south, parentId: north, ancestorIds: [north] },
    ]);
    const counted = { includeDirectDeviceCount: true, includeTotalDeviceCount: true };
    const counts = { directDeviceCount: 0, totalDeviceCount: 1 };
    const own = { applicationId, experienceGroupId: north };
    expect(await api.experienceGroup!.get!({ ...own, ...counted })).toMatchObject(counts);
    const theirs = { applicationId, experienceUserId };
    const inSouth = { applicationId, experienceGroupId: south, includeAncestorGroups: true };
    expect((await api.experienceUsers!.get!(inSouth)).items).toMatchObject([{ email }]);
    const named = { firstName: 'Ada' };
    expect(await api.experienceUser!.patch!({ ...theirs, experienceUser: named })).toMatchObject(named);
    expect(await api.experienceUser!.get!(theirs)).toMatchObject({ ...named, email });
    expect(await api.experienceGroup!.delete!(own)).toEqual({ success: true });
    expect(await api.experienceUser!.delete!(theirs)).toEqual({ success: true });
  });

  it('bootstraps an experience and deletes it', async () => {
    const { api, user } = await published.signedIn();
    const { id: applicationId } = await makeApplication(published.test, user.token);
    const options = { createUsers: true, createGroups: true };
    const { email, resourceSuffix } = await api.experience!.bootstrap!({ applicationId, options });
    expect(resourceSuffix).toBe('');
    expect((await api.experienceUsers!.get!({ applicationId })).items).toMatchObject([{ email }]);
    expect(await api.experience!.delete!({ applicationId, keepGroups: true })).toEqual({ success: true });
    expect(await api.experienceUsers!.get!({ applicationId })).toMatchObject({ totalCount: 0 });
    expect(await api.experienceGroups!.get!({ applicationId })).toMatchObject({ totalCount: 1 });
  });
}
