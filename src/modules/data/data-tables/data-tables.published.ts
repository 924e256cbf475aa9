import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests data tables, their columns and rows. */
export function drive(published: Published): void {
  it('manages data tables and their rows', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const serial = { name: 'serial', dataType: 'string', constraint: 'unique' };
    const { id: dataTableId } = await api.dataTables!.post!({
      applicationId,
      dataTable: { name: 'Parts', columns: [serial] },
    });
    const own = { applicationId, dataTableId };
    expect((await api.dataTables!.get!({ applicationId, filter: 'pa*' })).items).toMatchObject([
      { id: dataTableId, columns: [serial] },
    ]);
    const stock = { name: 'stock', dataType: 'number', constraint: 'optional', defaultValue: 0 };
    expect(await api.dataTable!.addColumn!({ ...own, dataTableColumn: stock })).toMatchObject({
      columns: [serial, stock],
    });
    expect(await api.dataTable!.patch!({ ...own, dataTable: { name: 'Spares' } })).toMatchObject({
      name: 'Spares',
    });
    const row = await api.dataTableRows!.post!({ ...own, dataTableRow: { serial: 'A' } });
    expect(row).toMatchObject({ serial: 'A', stock: 0 });
    const ownRow = { ...own, rowId: row.id };
    expect(await api.dataTableRow!.get!(ownRow)).toEqual(row);
    expect(await api.dataTableRow!.patch!({ ...ownRow, dataTableRow: { stock: 7 } })).toMatchObject({
      serial: 'A',
      stock: 7,
    });
    expect(await api.dataTableRow!.delete!(ownRow)).toEqual({ success: true });
    expect(await api.dataTable!.removeColumn!({ ...own, columnName: 'stock' })).toMatchObject({
      columns: [serial],
    });
    expect(await api.dataTable!.get!(own)).toMatchObject({ name: 'Spares' });
    expect(await api.dataTable!.delete!(own)).toEqual({ success: true });
  });
}
