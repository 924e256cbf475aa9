import { Injectable } from '@nestjs/common';
import { retry } from '../../../lib/async/retry.js';
import { WorkBudget } from '../../../lib/async/work-budget.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Unavailable } from '../../../lib/errors/errors.js';
import { WorkflowCalls } from '../../../platform/calls/workflow-calls.js';
import { Database } from '../../../platform/database/database.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import { SealedColumn } from '../../../platform/sealed/sealed-column.js';
import { databaseError } from '../../../platform/responses/database-errors.js';
import type {
  Actor,
  ApiPort,
  ApiResult,
  FilesPort,
  MessagesPort,
  PressesPort,
  StoragePort,
} from '../../../workflows/engine/ports.js';
import { MAX_RUN_MILLISECONDS } from '../../../workflows/engine/limits.js';
import { asFault, RunFault } from '../../../workflows/engine/run-error.js';
import { TopicMessages } from '../../../workflows/messages/topic-messages.js';
import { FlowFiles } from '../../files/private-files/flow-files.js';
import { FlowStoragePort } from '../../flows/flow-runs/flow-storage-port.js';
import { ScheduledPresses } from '../../flows/flow-schedules/scheduled-presses.js';
import { RunEffectsRepository } from './run-effects.repository.js';
import type { WaitingRun } from '../../../workflows/runs/handover.js';

/** Milliseconds between attempts while PostgreSQL does not respond. */
const RETRY_MS = 500;

/**
 * Effects that are executed at a time, in this process and for an application. Each occupies a connection, also while it
 * waits for another one of the application to change the same row.
 */
const CONCURRENCY = 6;
const CONCURRENCY_PER_APPLICATION = 3;
/** Operations with a secret in their result, which is encrypted as long as it is stored. */
const SECRET_RESULTS: ReadonlySet<string> = new Set(['applicationKeys.post']);
const SEALED = new SealedColumn('run_effects:result');
/** More than paths of a run can be ready at once. */
const MAX_WAITING = 20_000;

/** A run, and its effects. */
export interface EffectiveRun {
  readonly run: WaitingRun;
  /** Whether it has effects of an earlier beginning. */
  readonly hasEffects: boolean;
  /** Set when the result of the first effect is stored. */
  storesEffects?: true;
}

interface Effect {
  readonly id: string;
  /** Whether the stored result is encrypted. */
  readonly isSecret: boolean;
}

/** An operation that failed, and had no effect. */
class Refused extends Error {
  constructor(readonly answer: Extract<ApiResult, { error: unknown }>) {
    super('The operation was refused');
  }
}

/** The effect was stored by another beginning of the run, or the run has been finished. */
class Repeated extends Error {}

/**
 * Gives runs the operations of the API and the storage such that each effect in PostgreSQL happens once, however often
 * the run begins. The result of an effect is stored in the transaction of the effect, under the effect ID. A repeated
 * effect does nothing and returns the stored result.
 */
@Injectable()
@RunsIn('engine')
export class RunEffects {
  private readonly budget = new WorkBudget({
    concurrency: CONCURRENCY,
    concurrencyPerOwner: CONCURRENCY_PER_APPLICATION,
    waitingPerOwner: MAX_WAITING,
  });

  constructor(
    private readonly calls: WorkflowCalls,
    private readonly files: FlowFiles,
    private readonly presses: ScheduledPresses,
    private readonly storage: FlowStoragePort,
    private readonly messages: TopicMessages,
    private readonly stored: RunEffectsRepository,
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /** Returns the operations of the API for a run. Failed ones have no effect and are not stored. */
  apiOf(run: EffectiveRun): ApiPort {
    return {
      call: async (actor, operationId, parameters, body) => {
        const call = () => this.calls.call(actor, operationId, parameters, body);
        const isRead = this.calls.callable.get(operationId)?.method === 'get';
        return isRead ? call() : this.answeredOnce(run, actor, call, SECRET_RESULTS.has(operationId));
      },
    };
  }

  /** Returns the contents of files for a run. Content is stored outside of PostgreSQL before the effect. */
  filesOf(run: EffectiveRun): FilesPort {
    const { files } = this;
    return {
      find: (...of) => files.find(...of),
      read: (...of) => files.read(...of),
      upload: (actor, ...of) => this.answeredOnce(run, actor, () => files.upload(actor, ...of)),
    };
  }

  /** Returns presses of virtual buttons at a later time, for a run. */
  pressesOf(run: EffectiveRun): PressesPort {
    const { presses } = this;
    return {
      schedule: (actor, press) => this.answeredOnce(run, actor, () => presses.schedule(actor, press)),
      cancel: (actor, runId) => this.answeredOnce(run, actor, () => presses.cancel(actor, runId)),
    };
  }

  /** Returns the storage for a run. */
  storageOf(run: EffectiveRun): StoragePort {
    const { storage } = this;
    return {
      get: (actor, key) => storage.get(actor, key),
      all: (actor) => storage.all(actor),
      set: (actor, key, value) => this.once(run, actor, () => storage.set(actor, key, value)),
      add: (actor, key, amount) => this.once(run, actor, () => storage.add(actor, key, amount)),
      update: (actor, nodeId, identifier, next) =>
        this.once(run, actor, () => storage.update(actor, nodeId, identifier, next)),
    };
  }

  /** Returns the messages for a run, which are sent after their effect is stored. */
  messagesOf(run: EffectiveRun): MessagesPort {
    return {
      publish: async (actor, topic, message) => {
        const { applicationId, flowId: id } = actor;
        const sender = { type: 'flow', id } as const;
        const send = () => this.messages.send(applicationId, topic, message, sender, 'topicTemplate');
        try {
          await this.once(run, actor, send);
        } catch (error) {
          throw asFault(error);
        }
      },
    };
  }

  private async answeredOnce(
    run: EffectiveRun,
    actor: Actor,
    call: () => Promise<ApiResult>,
    isSecret = false,
  ): Promise<ApiResult> {
    try {
      return await this.once(run, actor, async () => succeeded(await call()), isSecret);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  }

  /** Retries while PostgreSQL does not respond: an attempt that was committed after all is not repeated. */
  private async once<T>(
    run: EffectiveRun,
    { effectId }: Actor,
    work: () => Promise<T>,
    isSecret = false,
  ): Promise<T> {
    if (effectId === undefined) return work();
    run.storesEffects = true;
    return retry(
      (attempt) => {
        const isFirst = attempt === 1 && !run.hasEffects;
        return this.budget.run(run.run.applicationId, () =>
          this.attempt(run.run, { id: effectId, isSecret }, isFirst, work),
        );
      },
      // Enough attempts for the time of a run.
      { max: MAX_RUN_MILLISECONDS / RETRY_MS, pauseMs: RETRY_MS, isTransient },
    );
  }

  private async attempt<T>(
    run: WaitingRun,
    { id, isSecret }: Effect,
    isFirst: boolean,
    work: () => Promise<T>,
  ): Promise<T> {
    const row = `${run.seq}:${id}`;
    const resultOf = (text: string): T => {
      const opened = isSecret ? SEALED.open(row, text, this.box) : text;
      return (JSON.parse(opened) as { result: T }).result;
    };
    const textOf = (result: T): string => {
      const text = JSON.stringify({ result });
      return isSecret ? SEALED.seal(row, text, this.box) : text;
    };
    const known = isFirst ? undefined : await this.stored.find(run, id);
    if (known !== undefined) return resultOf(known);
    try {
      return await this.database.atomically(work, async (result, transaction) => {
        if (!(await this.stored.store(run, id, textOf(result), transaction))) throw new Repeated();
      });
    } catch (error) {
      if (!(error instanceof Repeated)) throw error;
    }
    const other = await this.stored.find(run, id);
    if (other === undefined) throw new RunFault('InternalError', 'The run was finished by another engine');
    return resultOf(other);
  }
}

function succeeded(answer: ApiResult): ApiResult {
  if ('error' in answer) throw new Refused(answer);
  return answer;
}

/** Whether PostgreSQL did not respond, or refused because of something that passes. */
function isTransient(error: unknown): boolean {
  if (error instanceof Refused) return error.answer.error.statusCode === 503;
  // Of the storage, whose errors are those of the API: many runs change it at the same time.
  if (error instanceof RunFault) return error.name === 'Unavailable' || error.name === 'TooManyRequests';
  return error instanceof Unavailable || databaseError(error) instanceof Unavailable;
}
