import { csvLines, Verbatim, type Cell } from '../../../lib/csv/csv.js';
import type { ExportedAttribute, ExportedDevice } from './exported-devices.repository.js';
import type { PointRow } from './point-rows.js';

/** What an export of data has in it. */
export interface DataFileOptions {
  /** The attributes by name, in this order; absent, all. */
  attributes?: readonly string[];
  /** Whether rows say whose they are by id, where a file has those of several devices. */
  includeID: boolean;
  includeDate: boolean;
  includeBlobData: boolean;
}

/** Rows are written so many at a time, and fewer where their texts have so many characters. */
const MOST_ROWS = 500;
const MOST_TEXT = 256 * 1024;

/** The lines of a file of data: which columns it has, and what rows of devices are in them. */
export class DataFile {
  /** `names` are those of its attributes; `shared` files have the rows of several devices. */
  constructor(
    private readonly names: readonly string[],
    private readonly options: DataFileOptions,
    private readonly shared: boolean,
  ) {}

  get heading(): string {
    const { includeID, includeDate } = this.options;
    const whose = this.shared ? [...(includeID ? ['Device ID'] : []), 'Device Name'] : [];
    return csvLines([[...whose, 'Timestamp', ...(includeDate ? ['ISO Date'] : []), ...this.names]]);
  }

  /** The lines of a device's rows, some at a time. */
  async *linesOf(device: ExportedDevice, rows: AsyncIterable<PointRow>): AsyncGenerator<string> {
    const columns = this.columnsOf(device);
    let batch: Cell[][] = [];
    let text = 0;
    for await (const row of rows) {
      batch.push(this.lineOf(device, columns, row));
      for (const value of row.values.values()) text += typeof value === 'string' ? value.length : 0;
      if (batch.length < MOST_ROWS && text < MOST_TEXT) continue;
      yield csvLines(batch);
      batch = [];
      text = 0;
    }
    if (batch.length > 0) yield csvLines(batch);
  }

  private columnsOf(device: ExportedDevice): (ExportedAttribute | undefined)[] {
    const known = new Map(exportedOf(device, this.options).map((attribute) => [attribute.name, attribute]));
    return this.names.map((name) => known.get(name));
  }

  private lineOf(
    { id, name }: ExportedDevice,
    columns: readonly (ExportedAttribute | undefined)[],
    { time, values }: PointRow,
  ): Cell[] {
    const { includeID, includeDate } = this.options;
    const whose = this.shared ? [...(includeID ? [id] : []), name] : [];
    const cells = columns.map((attribute) => attribute && cellOf(attribute, values.get(attribute.number)));
    return [...whose, time, ...(includeDate ? [new Date(time)] : []), ...cells];
  }
}

/** A place begins with a sign as a number does, and is no formula either. */
function cellOf({ dataType }: ExportedAttribute, value: string | number | boolean | undefined): Cell {
  return dataType === 'gps' && typeof value === 'string' ? new Verbatim(value) : value;
}

/** Those attributes of a device whose data is exported. */
export function exportedOf(
  { attributes }: ExportedDevice,
  { attributes: named, includeBlobData }: DataFileOptions,
): ExportedAttribute[] {
  const wanted = named && new Set(named);
  return attributes.filter(
    ({ name, dataType }) => (!wanted || wanted.has(name)) && (includeBlobData || dataType !== 'blob'),
  );
}

/** The columns of attributes: as they were named, or as the device has them. */
export function columnNames(device: ExportedDevice, options: DataFileOptions): string[] {
  return [...new Set(options.attributes ?? exportedOf(device, options).map(({ name }) => name))];
}
