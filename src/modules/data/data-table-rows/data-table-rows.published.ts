import { waitForOutcome } from '../../../../test/make/exports.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests listing, querying, deleting and exporting rows of data tables. */
export function drive(published: Published): void {
  it('queries, exports and deletes rows of a data table', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const columns = [
      { name: 'serial', dataType: 'string', constraint: 'unique' },
      { name: 'stock', dataType: 'number', constraint: 'optional' },
    ];
    const { id: dataTableId } = await api.dataTables!.post!({
      applicationId,
      dataTable: { name: 'Parts', columns },
    });
    const of = { applicationId, dataTableId };
    const dataTableRow = [1, 2, 3].map((stock) => ({ serial: `A-${stock}`, stock }));
    await api.dataTableRows!.post!({ ...of, dataTableRow });
    const page = {
      sortColumn: 'stock',
      sortDirection: 'desc',
      limit: '2',
      offset: '1',
      includeFields: 'serial',
    };
    expect(await api.dataTableRows!.get!({ ...of, ...page })).toMatchObject({
      items: [{ serial: 'A-2' }, { serial: 'A-1' }],
      count: 2,
      totalCount: 3,
    });
    const query = { stock: { $gt: 1 } };
    expect(await api.dataTableRows!.query!({ ...of, query })).toMatchObject({ count: 2, query });
    const exportData = { query, email: `${uniqueName()}@example.com` };
    const { jobId } = await api.dataTableRows!.export!({ ...of, exportData });
    expect((await waitForOutcome(published.test, jobId)).status).toBe('completed');
    expect(await api.dataTableRows!.delete!({ ...of, query, limit: '1' })).toEqual({ removed: 1 });
    expect(await api.dataTableRows!.truncate!(of)).toEqual({ success: true });
    expect(await api.dataTableRows!.get!(of)).toMatchObject({ items: [], totalCount: 0 });
  });
}
