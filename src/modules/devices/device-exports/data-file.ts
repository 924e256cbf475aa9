import { csvLines, Verbatim, type Cell } from '../../../lib/csv/csv.js';
import type { ExportedAttribute, ExportedDevice } from './exported-devices.repository.js';
import type { PointRow } from './point-rows.js';

/** Content of a data export. */
export interface DataFileOptions {
  /** Names of the attributes, in this order; all attributes if `undefined`. */
  attributes?: readonly string[];
  /** Whether rows contain the device ID, in a file with several devices. */
  includeID: boolean;
  includeDate: boolean;
  includeBlobData: boolean;
}

/** Maximum number of rows written in one batch. A batch ends earlier if its texts reach `MAX_BATCH_CHARACTERS` characters. */
const MAX_BATCH_ROWS = 500;
const MAX_BATCH_CHARACTERS = 256 * 1024;

/** Formats the lines of a data file: its columns and the rows of its devices. */
export class DataFile {
  /** `names` are the names of its attributes; `shared` files contain rows of several devices. */
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

  /** Yields the lines of a device's rows in batches. */
  async *linesOf(device: ExportedDevice, rows: AsyncIterable<PointRow>): AsyncGenerator<string> {
    const columns = this.columnsOf(device);
    let batch: Cell[][] = [];
    let text = 0;
    for await (const row of rows) {
      batch.push(this.lineOf(device, columns, row));
      for (const value of row.values.values()) text += typeof value === 'string' ? value.length : 0;
      if (batch.length < MAX_BATCH_ROWS && text < MAX_BATCH_CHARACTERS) continue;
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

/** A location can start with a sign, as a number can, and is not a formula either. */
function cellOf({ dataType }: ExportedAttribute, value: string | number | boolean | undefined): Cell {
  return dataType === 'gps' && typeof value === 'string' ? new Verbatim(value) : value;
}

/** Returns the attributes of a device whose data is exported. */
export function exportedOf(
  { attributes }: ExportedDevice,
  { attributes: named, includeBlobData }: DataFileOptions,
): ExportedAttribute[] {
  const wanted = named && new Set(named);
  return attributes.filter(
    ({ name, dataType }) => (!wanted || wanted.has(name)) && (includeBlobData || dataType !== 'blob'),
  );
}

/** Returns the attribute columns: the requested attributes, or those of the device. */
export function columnNames(device: ExportedDevice, options: DataFileOptions): string[] {
  return [...new Set(options.attributes ?? exportedOf(device, options).map(({ name }) => name))];
}
