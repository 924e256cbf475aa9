import type { Log } from '../log.js';
import type { ActiveFlow, Flows } from '../flows/flows.js';
import type { Runner } from '../flows/runner.js';
import type { Driver, Stop } from './driver.js';
import { fileTail } from './file-tail.js';
import { fileWatch } from './file-watch.js';
import { redis } from './redis.js';
import { serial } from './serial.js';
import { snmpTrap } from './snmp-trap.js';
import { timer } from './timer.js';
import { udpDriver } from './udp.js';

/** Time after which a driver that could not start tries again, because a port or a device may appear later. */
const RETRY_MS = 30_000;

/** Listens for the triggers of all workflows that need something of their own, such as a timer or a port. */
export class TriggerDrivers {
  private readonly drivers: Readonly<Record<string, Driver>> = {
    fileTail,
    fileWatch,
    redis,
    serial,
    snmpTrap,
    timer,
    udp: udpDriver(),
  };
  /** What each workflow listens with. */
  private readonly listening = new Map<string, Listening[]>();

  constructor(
    private readonly flows: Flows,
    private readonly runner: Runner,
    private readonly log: Log,
  ) {}

  /** Listens for the triggers of a workflow instead of those of its former version; absent if it ceases to run. */
  change(flowId: string, active: ActiveFlow | undefined): void {
    for (const one of this.listening.get(flowId) ?? []) void one.stop();
    this.listening.delete(flowId);
    if (!active) return;
    const started = active.triggers.flatMap(({ declaration }, i) => {
      const driver = this.drivers[declaration.type];
      return driver ? [this.listen(driver, active, i)] : [];
    });
    if (started.length > 0) this.listening.set(flowId, started);
  }

  async stop(): Promise<void> {
    const all = [...this.listening.values()].flat();
    this.listening.clear();
    await Promise.all(all.map((one) => one.stop()));
  }

  private listen(driver: Driver, { flow, triggers }: ActiveFlow, i: number): Listening {
    const { type, key = '', config = {} } = triggers[i]!.declaration;
    const trigger = {
      key,
      config,
      log: this.log,
      fire: (cause: object) => {
        // The workflow may have been compiled again since.
        const current = this.flows.get(flow.flowId);
        if (current) this.runner.run(current, current.triggers[i]!, { ...cause, type });
      },
    };
    const failed = ({ message }: Error): void =>
      this.log.warn(`A ${type} trigger of ${flow.flowName} cannot start: ${message}`);
    return new Listening(async () => driver(trigger), failed);
  }
}

/** A driver that starts, listens, or waits for its next attempt to start. */
class Listening {
  private isStopped = false;
  private retry?: NodeJS.Timeout;
  private started: Promise<Stop | undefined>;
  private lastError = '';

  constructor(
    private readonly begin: () => Promise<Stop>,
    private readonly failed: (error: Error) => void,
  ) {
    this.started = this.start();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.retry);
    await (
      await this.started
    )?.();
  }

  private async start(): Promise<Stop | undefined> {
    try {
      return await this.begin();
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.lastError) this.failed(error as Error);
      this.lastError = message;
      if (!this.isStopped)
        this.retry = setTimeout(() => {
          this.started = this.start();
        }, RETRY_MS);
      return undefined;
    }
  }
}
