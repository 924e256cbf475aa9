import { Logger } from '@nestjs/common';
import type { Database, Transaction, QueuedTransaction } from '../../../platform/database/database.js';
import type { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { AgentSignals } from './agent-signals.js';
import type { DeploymentChange, DeploymentKind, DueTask, NewTask } from './deployment-change.js';
import type { DeploymentTasksRepository } from './deployment-tasks.repository.js';

/** Maximum time that a request spends applying changes; workers apply the rest. */
const TARGET_STEP_MS = 1_000;
/** Maximum number of attempts. With back-off they take ten minutes, longer than a PostgreSQL failover. */
const MAX_ATTEMPTS = 6;

/** Rows of one kind of deployments. */
export interface DeploymentRowStore {
  /** Applies a change to the given devices, locked in order of ID. Skips devices that it no longer concerns. */
  apply(task: DueTask, deviceIds: readonly string[], transaction: Transaction): Promise<void>;
}

/**
 * Applies changes of one kind of deployments: sequentially per application, in the order of the requests, one batch of
 * devices per transaction. Therefore the last of two releases wins on every device, and deadlocks cannot occur.
 */
export abstract class Deployer {
  private readonly logger = new Logger(this.constructor.name);

  protected constructor(
    private readonly database: Database,
    private readonly tasks: DeploymentTasksRepository,
    private readonly rows: DeploymentRowStore,
    private readonly jobs: JobsService,
    private readonly signals: AgentSignals,
    readonly kind: DeploymentKind,
  ) {}

  /** Enqueues a change in the transaction. Returns its sequence number. */
  add(task: NewTask, transaction: Transaction): Promise<number> {
    return this.tasks.add(this.kind, task, transaction);
  }

  /** Applies changes up to `last` within the time that a request can wait. Failures are left to the workers. */
  async catchUp(applicationId: string, last: number): Promise<void> {
    const end = performance.now() + TARGET_STEP_MS;
    try {
      for (let left = TARGET_STEP_MS; left > 0; left = end - performance.now())
        if (!(await this.step(applicationId, last, left))) return;
    } catch (error) {
      this.logger.warn(`Deployments of ${applicationId} are left to a worker: ${(error as Error).message}`);
    }
  }

  /** Applies a batch of changes in several applications. Returns whether there were any. */
  async work(): Promise<boolean> {
    let made = false;
    for (const applicationId of await this.tasks.findWaiting(this.kind))
      try {
        made = (await this.idleStep(applicationId)) || made;
      } catch (error) {
        this.logger.warn(`Deployments of ${applicationId} could not be changed: ${(error as Error).message}`);
      }
    return made;
  }

  private step(applicationId: string, last: number, patienceMs: number): Promise<boolean> {
    return this.attempt((begin) => {
      const work = async (transaction: QueuedTransaction) => {
        await this.tasks.lock(this.kind, applicationId, transaction);
        return this.makeNext(applicationId, begin, transaction, last);
      };
      return this.database.queuedTransaction(applicationId, work, patienceMs);
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

  /** Records a failure of the change in progress. */
  private async attempt(step: (begin: (task: DueTask) => void) => Promise<boolean>): Promise<boolean> {
    let begun: DueTask | undefined;
    try {
      return await step((task) => (begun = task));
    } catch (error) {
      if (begun) await this.fail(begun, error as Error);
      throw error;
    }
  }

  /** Applies the first change in the queue to a batch of devices. Returns whether there was one. */
  private async makeNext(
    applicationId: string,
    begin: (task: DueTask) => void,
    transaction: Transaction,
    last?: number,
  ): Promise<boolean> {
    const task = await this.tasks.findFirst(this.kind, applicationId, transaction);
    if (!task?.isDue || (last !== undefined && task.id > last)) return false;
    begin(task);
    const next = await this.tasks.next(this.kind, task, transaction);
    if (next.ids.length > 0) {
      await this.rows.apply(task, next.ids, transaction);
      transaction.afterCommit(async () => this.signals.send(applicationId, next.ids));
    }
    await this.tasks.advance(task, next.last, transaction);
    return true;
  }

  /**
   * Schedules a retry of a failed change. After the last attempt, drops it so that the following changes can proceed.
   */
  private async fail(task: DueTask, { message, stack }: Error): Promise<void> {
    const { name } = this.kind;
    const { applicationId, change, source } = task;
    await this.database.transaction(async (transaction) => {
      const attempts = await this.tasks.fail(task, transaction);
      if (attempts === undefined || attempts < MAX_ATTEMPTS) return;
      await this.tasks.advance(task, undefined, transaction);
      await this.jobs.recordFailure(
        transaction,
        `${name}Deployments.change`,
        {
          applicationId,
          operation: operationOf(this.kind, change),
          resourceType: 'application',
          resourceId: applicationId,
        },
        `The change of ${name} deployments failed ${attempts} times and was abandoned. The remaining devices keep their previous deployments`,
        source ? { id: source.sourceId, type: source.sourceType } : undefined,
      );
      const what = `${change.type} of ${name} deployments`;
      this.logger.error(`Abandoned a ${what} in ${applicationId}: ${message}`, stack);
    });
  }
}

/** Returns the operation that caused a change. */
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
