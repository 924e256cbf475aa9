import { Logger } from '@nestjs/common';
import type { Database, Transaction, WaitingTransaction } from '../../platform/database/database.js';
import type { DeploymentKind, DueTask, NewTask } from './deployment-change.js';
import type { DeploymentTasksRepository } from './deployment-tasks.repository.js';

/** How long a request waits for what it asked for; workers do the rest. */
const PATIENCE_MS = 1_000;

/** The rows of one kind of deployments. */
export interface DeployedRows {
  /** Makes a change for devices, by their ids in order: those of them that it is of, as they are now. */
  apply(task: DueTask, deviceIds: readonly string[], transaction: Transaction): Promise<void>;
}

/**
 * Makes changes of one kind of deployments, those of an application one after the other and each in the order in which it was
 * asked for, a batch of devices in a transaction. So of two releases the last one counts on every device, and none of them
 * waits for another in a circle.
 */
export abstract class Deployer {
  private readonly logger = new Logger(this.constructor.name);

  protected constructor(
    private readonly database: Database,
    private readonly tasks: DeploymentTasksRepository,
    private readonly rows: DeployedRows,
    readonly kind: DeploymentKind,
  ) {}

  /** Leaves a change to be made, as part of the transaction. Returns its place among all. */
  add(task: NewTask, transaction: Transaction): Promise<number> {
    return this.tasks.add(this.kind, task, transaction);
  }

  /** Makes what changes there are up to `last`, as far as a request may wait for that. What fails is left to workers. */
  async catchUp(applicationId: string, last: number): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    try {
      for (let left = PATIENCE_MS; left > 0; left = end - performance.now())
        if (!(await this.step(applicationId, last, left))) return;
    } catch (error) {
      this.logger.warn(`Deployments of ${applicationId} wait for a worker: ${(error as Error).message}`);
    }
  }

  /** Makes a batch of changes in some applications; whether it made any. */
  async work(): Promise<boolean> {
    let made = false;
    for (const applicationId of await this.tasks.waiting(this.kind))
      try {
        made = (await this.idleStep(applicationId)) || made;
      } catch (error) {
        this.logger.warn(`Deployments of ${applicationId} did not change: ${(error as Error).message}`);
      }
    return made;
  }

  private step(applicationId: string, last: number, patienceMs: number): Promise<boolean> {
    const work = async (transaction: WaitingTransaction) => {
      await this.tasks.lock(this.kind, applicationId, transaction);
      return this.makeNext(applicationId, transaction, last);
    };
    return this.database.inTurn(applicationId, work, patienceMs);
  }

  private idleStep(applicationId: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (!(await this.tasks.tryLock(this.kind, applicationId, transaction))) return false;
      return this.makeNext(applicationId, transaction);
    });
  }

  /** Makes the change whose turn it is for some devices; whether there was one. */
  private async makeNext(applicationId: string, transaction: Transaction, last?: number): Promise<boolean> {
    const task = await this.tasks.head(this.kind, applicationId, transaction);
    if (!task || (last !== undefined && task.id > last)) return false;
    const next = await this.tasks.next(this.kind, task, transaction);
    if (next.ids.length > 0) await this.rows.apply(task, next.ids, transaction);
    await this.tasks.pass(task, next.last, transaction);
    return true;
  }
}
