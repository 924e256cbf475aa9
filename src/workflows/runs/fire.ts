import { Injectable, Logger } from '@nestjs/common';
import { afterCommit } from '../../platform/database/atomic.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { newId } from '../../platform/repositories/resource.js';
import { Handover, type WaitingRun } from './handover.js';
import { RunBacklog } from './run-backlog.js';
import { columnsOf, type Cause } from './cause.js';
import { DroppedRuns } from './dropped-runs.js';
import { byColumn, byRow, portions, triggerRows, type Firing } from './firing-values.js';

/** The transaction of the change, for causes that require it. */
type Passed<C extends Cause> = 'inTransaction' extends C['delivery'] ? [transaction: Transaction] : [];
/** IDs of the runs, if the sender can use them. */
type Fired<C extends Cause> = C['delivery'] extends 'onReceipt' | 'inTransaction' ? string[] : void;

/** Enqueues runs of the workflows that a change or a received message triggers. */
@Injectable()
export class Firings {
  private readonly logger = new Logger(Firings.name);

  constructor(
    private readonly database: Database,
    private readonly handover: Handover,
    private readonly backlog: RunBacklog,
    private readonly dropped: DroppedRuns,
  ) {}

  /**
   * Stores a run for each workflow and payload. Executes one statement per thousand items, regardless of the number of
   * firings and workflows. If too many runs of an application wait, senders that wait for a confirmation receive `429`,
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
    for (const some of portions(admitted)) {
      const requestedAt = new Date();
      const rows = await this.run(cause, this.statementOf(cause, some, requestedAt), transaction);
      const runs = rows.map((row) => waitingRun(row, requestedAt));
      await after(async () => this.handover.committed(runs));
      for (const { id } of runs) ids.push(id);
    }
    return ids as Fired<C>;
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

/** Reads a row of `RETURNING` in the statement of a cause. */
function waitingRun(
  [lane, seq, id, applicationId, flowId, flowVersionId, deviceId, payloadId]: Row,
  requestedAt: Date,
): WaitingRun {
  return {
    lane: Number(lane),
    seq: Number(seq),
    id: id!,
    applicationId: applicationId!,
    flowId: flowId!,
    flowVersionId: flowVersionId ?? null,
    deviceId: deviceId ?? null,
    payloadId: payloadId!,
    requestedAt,
  };
}
