import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import pg from 'pg';
import type { Statement } from '../../src/platform/database/database.js';
import type { Answer } from '../contract/client.js';
import type { TestApp } from '../setup/app.js';

/** Whether a statement reads the caller or a resource in the path. */
export const isDecision = (text: string): boolean =>
  /^SELECT (json_build_object\('name'|coalesce\(\(SELECT json_build_object\('kind')/.test(text);

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;

/** A statement with its parameters, as it was sent. Its plan is for any values if `isPrepared`. */
export interface Sent {
  text: string;
  values: readonly unknown[];
  isPrepared?: boolean;
}

/** A query of the driver, or of the platform with its statement. */
interface SentQuery {
  text: string;
  values?: unknown;
  statement?: Statement;
}

const recorded = new AsyncLocalStorage<Sent[]>();
const prototype = pg.Client.prototype as unknown as { query: Query };
const original = prototype.query;
prototype.query = function (...parameters) {
  const [query, given] = parameters as [string | SentQuery, unknown];
  const { text, values = given, statement }: SentQuery = typeof query === 'string' ? { text: query } : query;
  const isPrepared = statement?.name !== undefined || statement?.shaped;
  recorded.getStore()?.push({ text, values: Array.isArray(values) ? values : [], isPrepared });
  return original.apply(this, parameters);
};

/**
 * Returns every statement that `work` sends to PostgreSQL, excluding concurrent ones, tracked through its asynchronous
 * calls.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await sentBy(work)).map(({ text }) => text);
}

/** Like `statementsOf`, with the parameters. */
export async function sentBy(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  await recorded.run(sent, work);
  return sent;
}

/**
 * Returns a function that sends a request and returns the response with its statements: `sent` are all of them,
 * `statements` those that do not authorize the request. Authorization is cached for five seconds, so its statements
 * depend on the machine's speed.
 */
export function statementCounter(test: TestApp) {
  const lists = new Map<string, Sent[]>();
  const server: Server = test.app.getHttpServer();
  server.prependListener('request', ({ headers }) => {
    recorded.enterWith(lists.get(String(headers['x-request-id'])) ?? []);
  });
  let requests = 0;
  return async (
    method: string,
    path: string,
    token: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer & { statements: string[]; sent: Sent[] }> => {
    const id = `counted-${requests++}`;
    const sent: Sent[] = [];
    lists.set(id, sent);
    const headers = { ...more, 'x-request-id': id };
    const answer = await test.client.request(method, path, { token, body, headers });
    return { ...answer, statements: sent.map(({ text }) => text).filter((text) => !isDecision(text)), sent };
  };
}
