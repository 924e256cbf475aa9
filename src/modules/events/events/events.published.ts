import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests events, individually and in bulk. */
export function drive(published: Published): void {
  it('manages events', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const event = { level: 'warning', subject: 'Pressure', eventTags: { site: 'north' } };
    const { id: eventId } = await api.events!.post!({ applicationId, event });
    await api.events!.post!({ applicationId, event: { ...event, level: 'info', state: 'resolved' } });
    const own = { applicationId, eventId };
    expect(await api.event!.get!(own)).toMatchObject({ ...event, state: 'new', updates: [] });
    const changed = { state: 'acknowledged', comment: 'On my way' };
    const { updates } = await api.event!.patch!({ ...own, event: changed });
    expect(updates).toMatchObject([
      { comment: 'On my way', stateChange: { old: 'new', new: 'acknowledged' } },
    ]);
    const query = { eventTags: { site: 'north' }, level: { $in: ['warning', 'error'] } };
    for (const list of [{ query }, { state: 'acknowledged', filter: 'pres*', sortField: 'level' }])
      expect((await api.events!.get!({ applicationId, ...list })).items).toMatchObject([{ id: eventId }]);
    expect(await api.events!.mostRecentBySeverity!({ applicationId })).toEqual({ newCount: 0 });
    const many = { applicationId, filterField: 'subject', filter: 'Pressure', state: 'resolved' };
    expect(await api.events!.patch!({ ...many, updates: { state: 'new' } })).toEqual({ success: true });
    const gravest = await api.events!.mostRecentBySeverity!({ applicationId, filter: 'pres*' });
    expect(gravest).toMatchObject({ event: { level: 'info' }, newCount: 1 });
    const exportData = { email: `${uniqueName()}@example.com`, query: { state: 'new' } };
    expect(await api.events!.export!({ applicationId, exportData })).toMatchObject({ success: true });
    expect(await api.events!.delete!({ applicationId, query: { state: 'new' } })).toEqual({ removed: 1 });
    expect(await api.event!.delete!(own)).toEqual({ success: true });
    await expect(api.event!.get!(own)).rejects.toMatchObject({ statusCode: 404 });
  });
}
