import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Runner, type Transaction } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { tooLarge } from '../data-tables/data-table.rules.js';
import { DataTablesRepository } from '../data-tables/data-tables.repository.js';
import { columnsOf, rowJson, type TableLayout } from '../data-tables/table-columns.js';
import { ROW_CHANGE } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { DataTableRowRepository } from './data-table-row.repository.js';
import { changedCells, newCells, type RowBody } from './row-values.js';

const ROW = 'Data table row';

/** Actions that triggers can select. */
type RowAction = 'insert' | 'bulkInsert' | 'update' | 'delete';

/** JSON of a change: the response, and of an updated row the row before. */
interface Changed {
  json: string;
  oldJson?: string;
}

/**
 * Inserts, reads, updates and deletes single rows. Columns may change at any time, so each operation uses the columns
 * of that moment.
 */
@Injectable()
export class DataTableRowService {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly rows: DataTableRowRepository,
    private readonly firings: Firings,
    private readonly database: Database,
  ) {}

  /** Inserts one row and returns it, or inserts several atomically and returns their IDs. */
  insert(
    applicationId: string,
    tableId: string,
    body: RowBody | readonly RowBody[],
    by: Author,
  ): Promise<SerializedResponse> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const bodies = isList(body) ? body : [body];
      const made = bodies.map((row, i) => ({
        id: newId(),
        cells: newCells(layout.own, row, isList(body) ? `dataTableRow.${i}` : 'dataTableRow'),
      }));
      const now = new Date();
      const rowIds = made.map(({ id }) => id);
      const several = JSON.stringify({ count: rowIds.length, createdAt: now, rowIds });
      const action = made.length === 1 ? 'insert' : 'bulkInsert';
      const told = await this.withTriggers(layout, action, by, async (runner) => {
        const [first] = await this.rows.insert(layout, made, now, runner);
        return first && { json: action === 'insert' ? rowOf(layout, first) : several };
      });
      return told === undefined ? undefined : new SerializedResponse(isList(body) ? several : told);
    });
  }

  get(applicationId: string, tableId: string, id: string): Promise<SerializedResponse> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const row = await this.rows.find(layout, id);
      if (!row) throw new NotFound(ROW);
      return new SerializedResponse(rowOf(layout, row));
    });
  }

  patch(
    applicationId: string,
    tableId: string,
    id: string,
    body: RowBody,
    by: Author,
  ): Promise<SerializedResponse> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const cells = changedCells(layout.own, body, 'dataTableRow');
      const changed = await this.withTriggers(layout, 'update', by, async (runner) => {
        const old = layout.hasTriggers ? await this.rows.lock(layout, id, runner) : undefined;
        const row = await this.rows.change(layout, id, cells, new Date(), runner);
        return row && { json: rowOf(layout, row), oldJson: old && rowOf(layout, old) };
      });
      if (changed !== undefined) return new SerializedResponse(changed);
      if (!(await this.rows.find(layout, id))) throw new NotFound(ROW);
      const { version } = await this.tables.layout(applicationId, tableId);
      if (version === layout.version) throw tooLarge('dataTableRow');
      return undefined;
    });
  }

  delete(applicationId: string, tableId: string, id: string, by: Author): Promise<Success> {
    return this.tables.withLayout(applicationId, tableId, async (layout) => {
      const removed = await this.withTriggers(layout, 'delete', by, async (runner) => {
        const row = await this.rows.remove(layout, id, runner);
        return row && { json: rowOf(layout, row) };
      });
      if (removed === undefined) throw new NotFound(ROW);
      return new Success();
    });
  }

  /**
   * Makes a change and notifies the workflows triggered by it in the same transaction. Returns the JSON of what `act` has
   * changed, or `undefined` if nothing changed.
   */
  private async withTriggers(
    layout: TableLayout,
    action: RowAction,
    by: Author,
    act: (runner: Runner) => Promise<Changed | undefined>,
  ): Promise<string | undefined> {
    if (!layout.hasTriggers) return (await act(this.database))?.json;
    return this.database.transaction(async (transaction) => {
      const changed = await act(transaction);
      if (changed !== undefined) await this.fireTriggers(layout, action, by, changed, transaction);
      return changed?.json;
    });
  }

  private async fireTriggers(
    { applicationId, id }: TableLayout,
    action: RowAction,
    by: Author,
    changed: Changed,
    transaction: Transaction,
  ): Promise<void> {
    const given = textOf({ data: dataOf(action, changed), sourceId: by.id, sourceType: by.type });
    const firing = {
      applicationId,
      triggers: [{ type: 'dataTable', key: id, change: action }],
      items: [{ given, channel: by.channel, bytes: Buffer.byteLength(changed.json) }],
    } as const;
    await this.firings.fire(ROW_CHANGE, [firing], transaction);
  }
}

/** Returns the `data` of the payload of workflows. */
function dataOf(action: RowAction, { json, oldJson }: Changed): object {
  const changed = JSON.parse(json) as object;
  switch (action) {
    case 'insert':
      return { action, newRow: changed };
    case 'bulkInsert':
      return { action, ...changed };
    case 'update':
      return { action, newRow: changed, oldRow: JSON.parse(oldJson!) as object };
    case 'delete':
      return { action, oldRow: changed };
  }
}

const rowOf = (layout: TableLayout, row: Row): string => rowJson(columnsOf(layout), row);

const isList = (body: RowBody | readonly RowBody[]): body is readonly RowBody[] => Array.isArray(body);
