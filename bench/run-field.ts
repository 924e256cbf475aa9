import { setTimeout as sleep } from 'node:timers/promises';
import { withClient, type Field } from './databases.js';

/** Returns the number of requested runs that have not ended. */
export const waiting = (field: Field, table: string): Promise<number> =>
  withClient(field.env.DATABASE_URL!, async (client) => {
    const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
    return Number(rows[0]!.n);
  });

/** Waits until every requested run has ended. */
export async function drained(field: Field, table: string): Promise<void> {
  while ((await waiting(field, table)) > 0) await sleep(50);
}

export const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1]!;
