import { Unavailable } from '../../lib/errors/errors.js';
import { isOutage } from '../responses/database-errors.js';
import { Atomic } from './atomic.js';
import { errorCode } from './error-code.js';

interface BatchQueueOptions<T, R> {
  /** Number of concurrent batches: one commits while the next one is processed. */
  concurrency: number;
  /** Maximum size of a batch; a single larger item forms its own batch. */
  maxBatchSize: number;
  /** Maximum total size of queued items. */
  maxQueued: number;
  sizeOf(item: T): number;
  /** Message of the 503 error if the queue is full. */
  full: string;
  /** Processes a batch atomically and returns its result. */
  work(batch: readonly T[]): Promise<R>;
}

interface Waiting<T, R> {
  item: T;
  size: number;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** Error codes of work that was rolled back because of a conflict and can be retried unchanged. */
const RETRYABLE_ERRORS = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/**
 * Processes all items of one turn of the event loop in one batch; under load, all items that arrived while other
 * batches were processed. No item waits for others to arrive. A failed batch is split into smaller ones, until only the
 * faulty items fail.
 */
export class BatchQueue<T, R = void> {
  private waiting: Waiting<T, R>[] = [];
  private waitingSize = 0;
  private running = 0;
  private soon?: NodeJS.Immediate;
  private whenIdle?: () => void;

  constructor(private readonly options: BatchQueueOptions<T, R>) {}

  /**
   * Resolves to the result of the batch that contains the item; rejects with a 503 error if the queue is full. An item of
   * atomic work is a batch of its own.
   */
  add(item: T): Promise<R> {
    const { maxBatchSize: max, maxQueued, full } = this.options;
    if (Atomic.current) return this.options.work([item]);
    const size = this.options.sizeOf(item);
    if (this.waitingSize > 0 && this.waitingSize + size > maxQueued)
      return Promise.reject(new Unavailable(full, 1));
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, size, resolve, reject });
      this.waitingSize += size;
      if (this.waitingSize >= max) this.startBatches();
      else this.soon ??= setImmediate(() => this.startBatches());
    });
  }

  /** Waits until all queued items have been processed. */
  async end(): Promise<void> {
    this.startBatches();
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  /** Starts batches while there are queued items and free slots. */
  private startBatches(): void {
    clearImmediate(this.soon);
    this.soon = undefined;
    while (this.waiting.length > 0 && this.running < this.options.concurrency) {
      this.running++;
      void this.do(this.nextBatch(), 1).finally(() => {
        this.running--;
        this.startBatches();
        if (this.running === 0) this.whenIdle?.();
      });
    }
  }

  private nextBatch(): Waiting<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { size: more } of this.waiting) {
      if (count > 0 && size + more > this.options.maxBatchSize) break;
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
      if (RETRYABLE_ERRORS.has(errorCode(error)) && attempt < ATTEMPTS) return this.do(batch, attempt + 1);
      if (batch.length === 1 || isOutage(error)) {
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
