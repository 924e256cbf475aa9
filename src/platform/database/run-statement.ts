import type { ClientBase, Pool, Submittable } from 'pg';
import type { DataSource } from 'typeorm';
import { errorCode } from './error-code.js';
import { CopyQuery, type Statement } from './query.js';

/** A query of `query.ts`, which decides what its rows are. */
export type QueryType<T> = new (
  statement: Statement,
  callback: (error: Error | undefined, result?: { rows: T[] }) => void,
) => object;

/** Runs a statement on a client; `done` hears of its end before the caller does. */
export async function onClient<T>(
  client: ClientBase,
  Query: QueryType<T>,
  statement: Statement,
  done?: (error?: Error) => void,
): Promise<T[]> {
  try {
    return await new Promise<T[]>((resolve, reject) => {
      const query = new Query(statement, (error, result) => {
        done?.(error);
        if (error) reject(error);
        else resolve(result!.rows);
      });
      client.query(query as Submittable);
    });
  } catch (error) {
    // From here, not from the socket: that is where whoever reads the log has to look.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** Copies rows, in the form that the text of the `COPY` says, into a table, on a client. */
export function copyOnClient(client: ClientBase, text: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new CopyQuery(text, rows, (error) => (error ? reject(error) : resolve()));
    client.query(query as unknown as Submittable);
  });
}

/**
 * Runs a statement on a client of the pool. One whose statement was refused, for a name that is taken say, stays in the pool,
 * where `pool.query` would end its connection.
 */
export async function onPool<T>(pool: Pool, Query: QueryType<T>, statement: Statement): Promise<T[]> {
  const client = await pool.connect();
  return onClient(client, Query, statement, (error) => {
    client.release(error && !wasRefused(error) ? error : undefined);
  });
}

/** The pool of a data source, which TypeORM uses too. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/** Whether the server refused a statement for what it was given or met, so that the next one on the connection is as good as any. */
const wasRefused = (error: Error): boolean => /^(22|23|40|55P03|57014)/.test(errorCode(error));
