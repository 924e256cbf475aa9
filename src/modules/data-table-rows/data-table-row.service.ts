import { Injectable } from '@nestjs/common';
import { NotFound } from '../../platform/errors/errors.js';
import { newId } from '../../platform/resource.js';
import { Written } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { DataTablesRepository } from '../data-tables/data-tables.repository.js';
import { columnsOf, rowJson } from '../data-tables/table-columns.js';
import { DataTableRowRepository } from './data-table-row.repository.js';
import { changedCells, newCells, type RowBody } from './row-values.js';

const ROW = 'Data table row';

/** Rows of data tables, one by one. Columns may change at any time, so whatever is done follows from those that there are then. */
@Injectable()
export class DataTableRowService {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly rows: DataTableRowRepository,
  ) {}

  /** Inserts a row and answers it, or several and answers their ids: all or none of them. */
  insert(applicationId: string, tableId: string, body: RowBody | readonly RowBody[]): Promise<Written> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const bodies = isList(body) ? body : [body];
      const made = bodies.map((row, i) => ({
        id: newId(),
        cells: newCells(layout.own, row, isList(body) ? `dataTableRow.${i}` : 'dataTableRow'),
      }));
      const now = new Date();
      const [first] = await this.rows.insert(layout, made, now);
      if (!first) return undefined;
      if (!isList(body)) return new Written(rowJson(columnsOf(layout), first));
      const rowIds = made.map(({ id }) => id);
      return new Written(JSON.stringify({ count: rowIds.length, createdAt: now, rowIds }));
    });
  }

  get(applicationId: string, tableId: string, id: string): Promise<Written> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const row = await this.rows.find(layout, id);
      if (!row) throw new NotFound(ROW);
      return new Written(rowJson(columnsOf(layout), row));
    });
  }

  patch(applicationId: string, tableId: string, id: string, body: RowBody): Promise<Written> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const cells = changedCells(layout.own, body, 'dataTableRow');
      const row = await this.rows.change(layout, id, cells, new Date());
      if (row) return new Written(rowJson(columnsOf(layout), row));
      if (!(await this.rows.find(layout, id))) throw new NotFound(ROW);
      return undefined;
    });
  }

  delete(applicationId: string, tableId: string, id: string): Promise<Success> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      if (!(await this.rows.remove(layout, id))) throw new NotFound(ROW);
      return new Success();
    });
  }
}

const isList = (body: RowBody | readonly RowBody[]): body is readonly RowBody[] => Array.isArray(body);
