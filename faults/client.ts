import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './ledger.js';

/** Longer than any request may hang. */
const TIMEOUT_MS = 20_000;
const REFUSED_PAUSE_MS = 50;

/** Outcome of a request. */
export interface Answer {
  outcome: Outcome;
  /** HTTP status; 0 if there was no response. */
  status: number;
  body: Record<string, any>;
}

/** Sends requests to the processes of a platform in turn. */
export class Client {
  private turn = 0;

  constructor(
    private readonly urls: readonly string[],
    private readonly token?: string,
    private readonly note: (status: number, ms: number) => void = () => undefined,
  ) {}

  /** Returns the same client with another token. */
  of(token: string): Client {
    return new Client(this.urls, token, this.note);
  }

  /** Sends a request to one process or, if it accepts no connections, to the next. */
  async send(method: string, path: string, body?: object | FormData): Promise<Answer> {
    const started = performance.now();
    const isForm = body instanceof FormData;
    for (;;) {
      const url = this.urls[this.turn++ % this.urls.length]!;
      try {
        const response = await fetch(url + path, {
          method,
          headers: {
            ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
            ...(isForm ? {} : { 'content-type': 'application/json' }),
          },
          body: isForm ? body : body && JSON.stringify(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const text = await response.text();
        const { status } = response;
        this.note(status, performance.now() - started);
        const outcome = response.ok ? 'done' : status < 500 ? 'refused' : 'unknown';
        return { outcome, status, body: text ? (JSON.parse(text) as Record<string, any>) : {} };
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        const isRefused = code === 'ECONNREFUSED';
        if (isRefused && performance.now() - started < TIMEOUT_MS) {
          await sleep(REFUSED_PAUSE_MS);
          continue;
        }
        this.note(0, performance.now() - started);
        return { outcome: isRefused ? 'refused' : 'unknown', status: 0, body: {} };
      }
    }
  }
}
