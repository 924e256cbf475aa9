import type { ClientBase, Pool, Submittable } from 'pg';
import type { DataSource } from 'typeorm';
import { errorCode } from './error-code.js';
import { CopyQuery, type Statement } from './query.js';

/** A query class of `query.ts`, which determines the form of its rows. */
export type QueryType<T> = new (
  statement: Statement,
  callback: (error: Error | undefined, result?: { rows: T[] }) => void,
) => object;

/** Runs a statement on a client. `done` is called before the result is returned. */
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
    // Makes the stack trace start here rather than at the socket, which is more useful in logs.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** Copies rows into a table on a client, in the format that the `COPY` statement specifies. */
export function copyOnClient(client: ClientBase, text: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new CopyQuery(text, rows, (error) => (error ? reject(error) : resolve()));
    client.query(query as unknown as Submittable);
  });
}

/**
 * Runs a statement on a client of the pool. After a rejected statement, for example because of a duplicate name, the
 * connection stays in the pool; `pool.query` would close it.
 */
export async function onPool<T>(pool: Pool, Query: QueryType<T>, statement: Statement): Promise<T[]> {
  const client = await pool.connect();
  return onClient(client, Query, statement, (error) => {
    client.release(error && !wasRejected(error) ? error : undefined);
  });
}

/** Returns the pool of a data source, shared with TypeORM. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/**
 * Returns whether the server rejected a statement because of its values or circumstances, so that the connection
 * remains usable.
 */
const wasRejected = (error: Error): boolean => /^(22|23|40|55P03|57014)/.test(errorCode(error));
