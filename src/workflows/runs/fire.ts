import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { afterCommit } from '../../platform/database/atomic.js';
import { BatchQueue } from '../../platform/database/batch-queue.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { newId } from '../../platform/repositories/resource.js';
import { Handover, type CommittedRun } from './handover.js';
import { RunBacklog } from './run-backlog.js';
import type { Cause } from './cause.js';
import { columnsOf } from './cause-declaration.js';
import { DroppedRuns } from './dropped-runs.js';
import { byColumn, byRow, joinedRow, portions, triggerRows, type Firing } from './firing-values.js';

/** The transaction of the change, for causes that require it. */
type Passed<C extends Cause> = 'inTransaction' extends C['delivery'] ? [transaction: Transaction] : [];
/** IDs of the runs, if the sender can use them. */
type Fired<C extends Cause> = C['delivery'] extends 'onReceipt' | 'inTransaction' ? string[] : void;

/** IDs of the runs that each firing of a batch has started. */
type RunsOf<C extends Cause> = ReadonlyMap<Firing<C>, string[]>;

const MAX_CONCURRENT_BATCHES = 3;
/** Sizes in characters: of a firing without its payload, of the firings of a statement, and of those that wait. */
const FIRING_SIZE = 1_024;
const MAX_BATCH_SIZE = 256 * FIRING_SIZE;
const MAX_QUEUED_SIZE = 64 * 1024 * 1024;
/** Columns of a run in the results of all statements. */
const RUN_COLUMNS = 9;

/** Enqueues runs of the workflows that a change or a received message triggers. */
@Injectable()
export class Firings implements OnModuleDestroy {
  private readonly logger = new Logger(Firings.name);
  private readonly queues = new Map<Cause, BatchQueue<Firing<Cause>, RunsOf<Cause>>>();

  constructor(
    private readonly database: Database,
    private readonly handover: Handover,
    private readonly backlog: RunBacklog,
    private readonly dropped: DroppedRuns,
  ) {}

  /**
   * Stores a run for each workflow and payload. Executes one statement per thousand items, regardless of the number of
   * firings and workflows. Received requests share statements with others that arrive at the same time. If too many runs of an application wait, senders that wait for a confirmation receive `429`,
   * and other payloads trigger nothing. Both are counted as dropped runs later.
   */
  async fire<C extends Cause>(
    cause: C,
    firings: readonly Firing<C>[],
    ...[transaction]: Passed<C>
  ): Promise<Fired<C>> {
    const ids: string[] = [];
    const after = async (action: () => Promise<void>) =>
      transaction ? transaction.afterCommit(action) : afterCommit(action);
    const refused = firings.filter(
      ({ applicationId, items }) => !this.backlog.admits(applicationId, items.length),
    );
    if (refused.length > 0) {
      if (cause.delivery === 'onReceipt') {
        this.dropped.add(cause, refused);
        this.backlog.refuse();
      }
      await after(async () => this.dropped.add(cause, refused));
    }
    const admitted = refused.length > 0 ? firings.filter((firing) => !refused.includes(firing)) : firings;
    if (cause.joined) {
      const queue = this.queueOf(cause, cause.joined);
      const joined = await Promise.all(
        admitted.map(async (firing) => (await queue.add(firing)).get(firing) ?? []),
      );
      return joined.flat() as Fired<C>;
    }
    for (const some of portions(admitted)) {
      const requestedAt = new Date();
      const rows = await this.run(cause, this.statementOf(cause, some, requestedAt), transaction);
      const runs = rows.map((row) => committedRun(row, requestedAt));
      await after(async () => this.handover.committed(runs));
      for (const { id } of runs) ids.push(id);
    }
    return ids as Fired<C>;
  }

  /** Waits for firings whose statements are under way. */
  async onModuleDestroy(): Promise<void> {
    for (const queue of this.queues.values()) await queue.end();
  }

  /** Returns the queue that joins the firings of a cause. */
  private queueOf<C extends Cause>(cause: C, joined: NonNullable<Cause['joined']>): BatchQueue<Firing<C>, RunsOf<C>> {
    let queue = this.queues.get(cause);
    if (!queue) {
      queue = new BatchQueue<Firing<Cause>, RunsOf<Cause>>({
        concurrency: MAX_CONCURRENT_BATCHES,
        maxBatchSize: MAX_BATCH_SIZE,
        maxQueued: MAX_QUEUED_SIZE,
        full: 'Too many requests are waiting to be stored, try again',
        sizeOf: ({ items: [item] }) => FIRING_SIZE + item!.given.length,
        work: (batch) => this.storeJoined(joined, batch),
      });
      this.queues.set(cause, queue);
    }
    return queue as unknown as BatchQueue<Firing<C>, RunsOf<C>>;
  }

  /** Stores the runs of firings with one item each, and returns their IDs. */
  private async storeJoined(
    { text, columns }: NonNullable<Cause['joined']>,
    firings: readonly Firing<Cause>[],
  ): Promise<RunsOf<Cause>> {
    const requestedAt = new Date();
    const readAt = performance.now();
    const received = firings.map((firing) =>
      joinedRow(firing, this.handover.laneFor(firing.applicationId, firing.isAwaited ?? false)),
    );
    const values = [requestedAt, newId(), ...byColumn(columns, received)];
    const rows = await this.database.write(prepared(text, values));
    const runs = new Map<Firing<Cause>, string[]>();
    const committed = rows.map((row) => {
      const run = committedRun(row, requestedAt);
      const firing = firings[Number(row[0])]!;
      const ids = runs.get(firing);
      if (ids) ids.push(run.id);
      else runs.set(firing, [run.id]);
      const [trigger, stamp] = row.slice(RUN_COLUMNS);
      if (typeof trigger === 'string' && typeof stamp === 'string') run.known = { trigger, stamp, readAt };
      return run;
    });
    await afterCommit(async () => this.handover.committed(committed));
    return runs;
  }

  private statementOf<C extends Cause>(
    cause: C,
    firings: readonly Firing<C>[],
    requestedAt: Date,
  ): Statement {
    const columns = columnsOf(cause);
    const triggers = triggerRows(firings);
    const items = firings.flatMap(({ applicationId, deviceId = null, isAwaited = false, items }, firing) => {
      const lane = this.handover.laneFor(applicationId, isAwaited);
      return items.map((item) => ({ ...item, firing, lane, applicationId, deviceId }));
    });
    const { text, singleText, triggerCount } = cause;
    const isCounted = triggers.length === triggerCount;
    const isSingle = items.length === 1 && firings.length === 1 && (isCounted || triggerCount === 'any');
    const asked = (isSingle && isCounted ? byRow : byColumn)(columns.triggers, triggers);
    const received = (isSingle ? byRow : byColumn)(columns.items, items);
    return prepared(isSingle ? singleText! : text, [requestedAt, newId(), ...asked, ...received]);
  }

  private run({ delivery }: Cause, statement: Statement, transaction?: Transaction): Promise<Row[]> {
    switch (delivery) {
      case 'inTransaction':
        return transaction!.run(statement);
      case 'onReceipt':
        return this.database.run(statement);
      case 'afterCommit':
        return this.database.write(statement);
      case 'bestEffort':
        return this.database.write(statement).catch((error: Error) => {
          this.logger.warn(`Could not enqueue runs of workflows: ${error.message}`);
          return [];
        });
    }
  }
}

/** Reads a row of the result of a cause's statement. */
function committedRun(
  [, lane, seq, id, applicationId, flowId, flowVersionId, deviceId, payloadId]: Row,
  requestedAt: Date,
): CommittedRun {
  return {
    lane: Number(lane),
    seq: Number(seq),
    id: id!,
    applicationId: applicationId!,
    flowId: flowId!,
    flowVersionId: flowVersionId ?? null,
    deviceId: deviceId ?? null,
    payloadId: payloadId ?? null,
    requestedAt,
  };
}
