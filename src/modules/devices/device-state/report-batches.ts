import { errorCode } from '../../../platform/database/error-code.js';
import { databaseError } from '../../../platform/responses/database-errors.js';
import { Unavailable } from '../../../lib/errors/errors.js';

interface Options<T, R> {
  /** Batches at once: while one commits, the next one works. */
  atOnce: number;
  /** The size of a batch, but for one item that is larger. */
  most: number;
  /** The size of all that may wait. */
  mostWaiting: number;
  sizeOf(item: T): number;
  /** Does a batch, all of it or nothing, and tells what came of it. */
  work(batch: readonly T[]): Promise<R>;
}

interface Waiting<T, R> {
  item: T;
  size: number;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** The work was undone because of others, and may be done again as it is. */
const UNDONE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/**
 * Does what comes in one turn of the event loop together, and under load all that came while other batches were done: nobody
 * waits for company that may not come. A batch that fails is done in smaller ones, until only what is at fault fails.
 */
export class Batches<T, R = void> {
  private waiting: Waiting<T, R>[] = [];
  private waitingSize = 0;
  private running = 0;
  private soon?: NodeJS.Immediate;
  private whenIdle?: () => void;

  constructor(private readonly options: Options<T, R>) {}

  /** What came of the batch that it is part of, when that is done; 503 where too much waits. */
  add(item: T): Promise<R> {
    const { most, mostWaiting } = this.options;
    const size = this.options.sizeOf(item);
    if (this.waitingSize > 0 && this.waitingSize + size > mostWaiting)
      return Promise.reject(new Unavailable('Too much waits to be stored, try again', 1));
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, size, resolve, reject });
      this.waitingSize += size;
      if (this.waitingSize >= most) this.begin();
      else this.soon ??= setImmediate(() => this.begin());
    });
  }

  /** Waits until all that came is done. */
  async end(): Promise<void> {
    this.begin();
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  /** Begins as many batches as there is work and room for. */
  private begin(): void {
    clearImmediate(this.soon);
    this.soon = undefined;
    while (this.waiting.length > 0 && this.running < this.options.atOnce) {
      this.running++;
      void this.do(this.take(), 1).finally(() => {
        this.running--;
        this.begin();
        if (this.running === 0) this.whenIdle?.();
      });
    }
  }

  private take(): Waiting<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { size: more } of this.waiting) {
      if (count > 0 && size + more > this.options.most) break;
      size += more;
      count++;
    }
    this.waitingSize -= size;
    return this.waiting.splice(0, count);
  }

  private async do(batch: readonly Waiting<T, R>[], attempt: number): Promise<void> {
    let result: R;
    try {
      result = await this.options.work(batch.map(({ item }) => item));
    } catch (error) {
      if (UNDONE.has(errorCode(error)) && attempt < ATTEMPTS) return this.do(batch, attempt + 1);
      if (batch.length === 1 || isOfTheDatabase(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.do(batch.slice(0, half), 1);
      return this.do(batch.slice(half), 1);
    }
    for (const { resolve } of batch) resolve(result);
  }
}

const LOCKED = '55P03';

/** Whether it is the database that fails, and smaller batches would fail alike. */
const isOfTheDatabase = (error: unknown): boolean =>
  error instanceof Unavailable ||
  (databaseError(error) instanceof Unavailable && errorCode(error) !== LOCKED);
