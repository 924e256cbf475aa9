import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import pg from 'pg';
import type { Answer } from './client.js';
import type { TestApp } from './app.js';

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;

const recorded = new AsyncLocalStorage<string[]>();
const prototype = pg.Client.prototype as unknown as { query: Query };
const original = prototype.query;
prototype.query = function (...parameters) {
  const [statement] = parameters as [string | { text: string }];
  recorded.getStore()?.push(typeof statement === 'string' ? statement : statement.text);
  return original.apply(this, parameters);
};

/** Every statement that `work` sends to PostgreSQL, and only its own: they are followed through its calls. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  await recorded.run(statements, work);
  return statements;
}

/** A function that sends a request and returns its answer with the statements that the platform sent because of it. */
export function statementCounter(test: TestApp) {
  const lists = new Map<string, string[]>();
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
  ): Promise<Answer & { statements: string[] }> => {
    const id = `counted-${requests++}`;
    const statements: string[] = [];
    lists.set(id, statements);
    const answer = await test.client.request(method, path, { token, body, headers: { 'x-request-id': id } });
    return { ...answer, statements };
  };
}
