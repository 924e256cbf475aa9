import type { Platform } from '../setup/platform.js';
import { uniqueName } from './make.js';

/** A data table of a test. */
export interface MadeTable {
  id: string;
  path: string;
  /** Path of its rows. */
  rows: string;
  /** Inserts rows and returns their IDs. */
  insert(rows: readonly object[]): Promise<string[]>;
}

/** Creates a data table in an application. */
export async function makeDataTable(
  test: Platform,
  token: string,
  applicationId: string,
  columns: readonly object[],
): Promise<MadeTable> {
  const tables = `/applications/${applicationId}/data-tables`;
  const { status, body } = await test.client.post(tables, { name: uniqueName(), columns }, { token });
  expect(status).toBe(201);
  const path = `${tables}/${body.id}`;
  const rows = `${path}/rows`;
  const insert = async (some: readonly object[]): Promise<string[]> => {
    const answer = await test.client.post(rows, some, { token });
    expect(answer.status).toBe(201);
    return answer.body.rowIds;
  };
  return { id: body.id, path, rows, insert };
}
