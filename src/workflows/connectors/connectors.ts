import { WorkBudget } from '../../lib/async/work-budget.js';
import { ApiError } from '../../lib/errors/errors.js';
import type { Actor, ConnectorCall, ConnectorsPort } from '../engine/ports.js';
import { RunFault } from '../engine/run-error.js';
import { ConnectorProcess } from './connector-process.js';

/** Bounds the connections of a process. */
const BUDGET = {
  concurrency: 32,
  concurrencyPerOwner: 8,
  waitingPerOwner: 256,
  waiting: 2048,
  patienceMs: 30_000,
};
const MEMORY_MB = 384;

/** Databases and other services with drivers of their own. Applications take turns. */
export class Connectors implements ConnectorsPort {
  private readonly budget = new WorkBudget(BUDGET);
  private readonly process: ConnectorProcess;

  /** @param allowed private servers that workflows may reach, as `host:port` */
  constructor(allowed: readonly string[], memoryMb = MEMORY_MB) {
    this.process = new ConnectorProcess({ allowed, memoryMb });
  }

  /** ID of the process of the drivers, if it is running. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  async call({ applicationId }: Actor, call: ConnectorCall, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.budget.run(applicationId, () =>
        this.process.call({ ...call, applicationId }, signal),
      );
    } catch (error) {
      if (error instanceof ApiError) throw new RunFault('RequestError', error.message);
      throw error;
    }
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return this.process.end();
  }
}
