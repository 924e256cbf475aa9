import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorCode } from '../../platform/database/error-code.js';
import { databaseError } from '../../platform/errors/database-errors.js';
import { Unavailable } from '../../platform/errors/errors.js';
import { DevicePointsRepository } from './device-points.repository.js';
import type { DeviceReport } from './report-batch.js';

/** How long the first report waits for others to share a statement with. */
const COMPANY_MS = 3;
/** Statements at once: while one commits, the next one works. */
const AT_ONCE = 2;
/** Points of a statement, but for a single report that has more. */
const MOST_POINTS = 10_000;
/** Points that may wait: some seconds of work. */
const MOST_WAITING = 200_000;
/** The statement was undone because of others, and may be run again as it is. */
const UNDONE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

interface Waiting {
  report: DeviceReport;
  /** How much it adds to a statement. */
  size: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Stores what devices report. What comes within a few milliseconds from many requests is one statement, and each is answered
 * when its statement has committed. Under load a statement takes all that came during those before it.
 */
@Injectable()
export class DeviceReports implements OnModuleDestroy {
  private waiting: Waiting[] = [];
  private waitingSize = 0;
  private running = 0;
  private timer?: NodeJS.Timeout;
  private idle?: () => void;

  constructor(private readonly points: DevicePointsRepository) {}

  /**
   * Stores a report. Once this is done it is in the database, and what it fails with says that it is not, unless the connection
   * was lost: then it may be, and the same report may be stored again, which changes nothing.
   */
  report(report: DeviceReport): Promise<void> {
    const size = report.points.length + 1;
    if (this.waitingSize > 0 && this.waitingSize + size > MOST_WAITING)
      return Promise.reject(new Unavailable('Too many reports wait to be stored, try again', 1));
    return new Promise((resolve, reject) => {
      this.waiting.push({ report, size, resolve, reject });
      this.waitingSize += size;
      if (this.waitingSize >= MOST_POINTS) this.next();
      else this.timer ??= setTimeout(() => this.next(), COMPANY_MS);
    });
  }

  /** Waits until all that came is stored. */
  async onModuleDestroy(): Promise<void> {
    this.next();
    if (this.running > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  /** Begins as many statements as there is work and room for. */
  private next(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length > 0 && this.running < AT_ONCE) {
      this.running++;
      void this.store(this.take()).finally(() => {
        this.running--;
        this.next();
        if (this.running === 0) this.idle?.();
      });
    }
  }

  private take(): Waiting[] {
    let size = 0;
    let count = 0;
    while (count < this.waiting.length && (count === 0 || size + this.waiting[count]!.size <= MOST_POINTS))
      size += this.waiting[count++]!.size;
    this.waitingSize -= size;
    return this.waiting.splice(0, count);
  }

  /** Stores reports in one statement, and those of a statement that fails in smaller ones, until only what is at fault fails. */
  private async store(batch: readonly Waiting[], attempt = 1): Promise<void> {
    try {
      await this.points.store(batch.map(({ report }) => report));
    } catch (error) {
      if (UNDONE.has(errorCode(error)) && attempt < ATTEMPTS) return this.store(batch, attempt + 1);
      if (batch.length === 1 || isLost(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.store(batch.slice(0, half));
      await this.store(batch.slice(half));
      return;
    }
    for (const { resolve } of batch) resolve();
  }
}

/** Whether the database is what fails: smaller statements would fail alike. */
const isLost = (error: unknown): boolean =>
  (error instanceof Unavailable || databaseError(error) instanceof Unavailable) &&
  errorCode(error) !== '55P03';
