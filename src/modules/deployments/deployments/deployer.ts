import { Logger } from '@nestjs/common';
import type { Database, Transaction, WaitingTransaction } from '../../../platform/database/database.js';
import type { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { DeploymentChange, DeploymentKind, DueTask, NewTask } from './deployment-change.js';
import type { DeploymentTasksRepository } from './deployment-tasks.repository.js';

/** How long a request waits for what it asked for; workers do the rest. */
const PATIENCE_MS = 1_000;
/** How often a change is tried. With its pauses that takes ten minutes, longer than PostgreSQL is away for another to take over. */
const MOST_ATTEMPTS = 6;

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
    private readonly jobs: JobsService,
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
    return this.attempt((begin) => {
      const work = async (transaction: WaitingTransaction) => {
        await this.tasks.lock(this.kind, applicationId, transaction);
        return this.makeNext(applicationId, begin, transaction, last);
      };
      return this.database.inTurn(applicationId, work, patienceMs);
    });
  }

  private idleStep(applicationId: string): Promise<boolean> {
    return this.attempt((begin) =>
      this.database.transaction(async (transaction) => {
        if (!(await this.tasks.tryLock(this.kind, applicationId, transaction))) return false;
        return this.makeNext(applicationId, begin, transaction);
      }),
    );
  }

  /** Notes what fails of the change that is begun. */
  private async attempt(step: (begin: (task: DueTask) => void) => Promise<boolean>): Promise<boolean> {
    let begun: DueTask | undefined;
    try {
      return await step((task) => (begun = task));
    } catch (error) {
      if (begun) await this.fail(begun, error as Error);
      throw error;
    }
  }

  /** Makes the change whose turn it is for some devices; whether there was one. */
  private async makeNext(
    applicationId: string,
    begin: (task: DueTask) => void,
    transaction: Transaction,
    last?: number,
  ): Promise<boolean> {
    const task = await this.tasks.head(this.kind, applicationId, transaction);
    if (!task?.isDue || (last !== undefined && task.id > last)) return false;
    begin(task);
    const next = await this.tasks.next(this.kind, task, transaction);
    if (next.ids.length > 0) await this.rows.apply(task, next.ids, transaction);
    await this.tasks.pass(task, next.last, transaction);
    return true;
  }

  /** A change that fails is tried again after a while, and given up in the end: those behind it go on. */
  private async fail(task: DueTask, { message, stack }: Error): Promise<void> {
    const { name } = this.kind;
    const { applicationId, change, source } = task;
    await this.database.transaction(async (transaction) => {
      const attempts = await this.tasks.fail(task, transaction);
      if (attempts === undefined || attempts < MOST_ATTEMPTS) return;
      await this.tasks.pass(task, undefined, transaction);
      await this.jobs.tellFailed(
        transaction,
        `${name}Deployments.change`,
        {
          applicationId,
          operation: operationOf(this.kind, change),
          resourceType: 'application',
          resourceId: applicationId,
        },
        `The change of ${name} deployments failed ${attempts} times and is given up. Devices that it had not reached run what they ran`,
        source ? { id: source.sourceId, type: source.sourceType } : undefined,
      );
      const what = `${change.type} of ${name} deployments`;
      this.logger.error(`A ${what} in ${applicationId} is given up: ${message}`, stack);
    });
  }
}

/** The operation that a change follows from. */
function operationOf({ name }: DeploymentKind, { type }: DeploymentChange): string {
  switch (type) {
    case 'release':
    case 'replace':
    case 'remove':
      return `${name}Deployments.${type}`;
    case 'clear':
      return `${name}Deployments.remove`;
    case 'content':
      return 'flow.patch';
    case 'device':
      return 'device.patch';
    case 'globals':
      return 'application.patch';
  }
}
