import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { afterCommit } from '../../platform/database/atomic.js';
import { BatchQueue } from '../../platform/database/batch-queue.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import { foundAfterCut } from '../../platform/database/found-after-cut.js';
import type { Row } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { newId } from '../../platform/repositories/resource.js';
import { Handover, type CommittedRun } from './handover.js';
import { RunBacklog } from './run-backlog.js';
import type { Cause } from './cause.js';
import { columnsOf } from './cause-declaration.js';
import { MAX_INLINE_BYTES } from './cause-sql.js';
import { DroppedRuns } from './dropped-runs.js';
import { StoredRunsRepository } from './stored-runs.repository.js';
import { byColumn, byRow, joinedColumns, portions, triggerRows, type Firing } from './firing-values.js';

/** The transaction of the change, for causes that require it. */
type Passed<C extends Cause> = 'inTransaction' extends C['delivery'] ? [transaction: Transaction] : [];
/** IDs of the runs, if the sender can use them. */
type Fired<C extends Cause> = C['delivery'] extends 'onReceipt' | 'inTransaction' ? string[] : void;

/** A cause whose firings share statements. */
type JoinedCause<C extends Cause> = C & { joined: NonNullable<Cause['joined']> };
/** IDs of the runs that each firing of a batch has started. */
type RunsOf<C extends Cause> = ReadonlyMap<Firing<C>, string[]>;

const MAX_CONCURRENT_BATCHES = 3;
/** Maximum number of firings that share a statement, and of those that wait for one. */
const MAX_BATCH_SIZE = 500;
const MAX_QUEUED_SIZE = 20_000;
/** Bytes of a trigger beside its payload. */
const MAX_TRIGGER_BYTES = 150;
/** Column of the stamp of the program, after those of the results of all statements. */
const STAMP_COLUMN = 9;

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
    private readonly stored: StoredRunsRepository,
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
    const [only] = admitted;
    if (cause.joined && only && admitted.length === 1 && isSmall(only)) {
      const stored = await this.queueOf(cause as JoinedCause<C>).add(only);
      return (stored.get(only) ?? []) as Fired<C>;
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
  private queueOf<C extends Cause>(cause: JoinedCause<C>): BatchQueue<Firing<C>, RunsOf<C>> {
    let queue = this.queues.get(cause);
    if (!queue) {
      queue = new BatchQueue<Firing<Cause>, RunsOf<Cause>>({
        concurrency: MAX_CONCURRENT_BATCHES,
        maxBatchSize: MAX_BATCH_SIZE,
        maxQueued: MAX_QUEUED_SIZE,
        full: 'Too many requests are waiting to be stored, try again',
        sizeOf: () => 1,
        work: (batch) => this.storeJoined(cause, batch),
      });
      this.queues.set(cause, queue);
    }
    return queue;
  }

  /** Stores the runs of firings with one small item each, and returns their IDs. */
  private async storeJoined(
    cause: JoinedCause<Cause>,
    firings: readonly Firing<Cause>[],
  ): Promise<RunsOf<Cause>> {
    const requestedAt = new Date();
    const readAt = performance.now();
    const { columns, texts } = joinedColumns(cause, firings, ({ applicationId, isAwaited = false }) =>
      this.handover.laneFor(applicationId, isAwaited),
    );
    const statement = prepared(cause.joined.text, [requestedAt, newId(), ...columns]);
    const runs = new Map<Firing<Cause>, string[]>();
    const committed = (await this.run(cause, statement)).map((row) => {
      const run = committedRun(row, requestedAt);
      const index = Number(row[0]);
      run.known = { trigger: texts[index]!, stamp: row[STAMP_COLUMN]!, readAt };
      const ids = runs.get(firings[index]!);
      if (ids) ids.push(run.id);
      else runs.set(firings[index]!, [run.id]);
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
      return items.map((item) => Object.assign({}, item, { firing, lane, applicationId, deviceId }));
    });
    const { text, singleText, triggerCount } = cause;
    const isCounted = triggers.length === triggerCount;
    const single =
      items.length === 1 && firings.length === 1 && (isCounted || triggerCount === 'any')
        ? singleText
        : undefined;
    const asked = (single && isCounted ? byRow : byColumn)(columns.triggers, triggers);
    const received = (single ? byRow : byColumn)(columns.items, items);
    return prepared(single ?? text, [requestedAt, newId(), ...asked, ...received]);
  }

  private run({ delivery }: Cause, statement: Statement, transaction?: Transaction): Promise<Row[]> {
    switch (delivery) {
      case 'inTransaction':
        return transaction!.run(statement);
      case 'onReceipt':
        return this.database.write(statement);
      case 'afterCommit':
        return this.writeOnce(statement);
      case 'bestEffort':
        return this.database.write(statement).catch((error: Error) => {
          this.logger.warn(`Could not enqueue runs of workflows: ${error.message}`);
          return [];
        });
    }
  }

  /**
   * Executes a statement whose sender repeats it if it fails. If it was committed although its connection was lost, the
   * engines find the runs.
   */
  private async writeOnce(statement: Statement): Promise<Row[]> {
    try {
      return await this.database.write(statement);
    } catch (error) {
      const id = statement.values[1] as string;
      return foundAfterCut(error, async () => ((await this.stored.has(id)) ? [] : undefined));
    }
  }
}

/** Whether a firing has one item, which is stored with its runs. */
const isSmall = ({ items }: Firing<Cause>): boolean =>
  items.length === 1 && Buffer.byteLength(items[0]!.given) <= MAX_INLINE_BYTES - MAX_TRIGGER_BYTES;

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
