import { Injectable, Logger } from '@nestjs/common';
import { afterCommit } from '../../platform/database/atomic.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import type { PayloadChannel } from '../../platform/payloads/payload-types.js';
import { newId } from '../../platform/repositories/resource.js';
import { Handover, type WaitingRun } from './handover.js';
import { RunBacklog } from './run-backlog.js';
import { columnsOf, type Cause, type Columns, type SqlValues } from './cause.js';

/** One change or received message, with its payloads. */
export interface Firing<C extends Cause> {
  applicationId: string;
  deviceId?: string | null;
  /** Whether the sender waits for a reply of the workflow. */
  isAwaited?: boolean;
  /** Triggers to fire. `version` selects the version of their workflows: `default`, `develop` or a name. */
  triggers: readonly ({ type: string; key: string; version?: string } & Values<C, 'asks'>)[];
  /** Payloads: `given` is the text of a trigger without its type and key. `bytes` is the size to count. */
  items: readonly ({ given: string } & Values<C, 'items'> & Counted<C>)[];
}

type Values<C, K extends 'asks' | 'items'> =
  C extends Readonly<Record<K, infer T extends Columns>> ? { [N in keyof T]: SqlValues[T[N]] } : unknown;
type Counted<C> = C extends { counts: string } ? { channel: PayloadChannel; bytes: number } : unknown;

/** The transaction of the change, for causes that require it. */
type Passed<C extends Cause> = 'inTransaction' extends C['delivery'] ? [transaction: Transaction] : [];
/** IDs of the runs, if the sender can use them. */
type Fired<C extends Cause> = C['delivery'] extends 'onReceipt' | 'inTransaction' ? string[] : void;

/** Maximum number of items and triggers per statement. */
const MAX_ITEMS = 1_000;
const MAX_TRIGGERS = 5_000;

/** Enqueues runs of the workflows that a change or a received message triggers. */
@Injectable()
export class Firings {
  private readonly logger = new Logger(Firings.name);

  constructor(
    private readonly database: Database,
    private readonly handover: Handover,
    private readonly backlog: RunBacklog,
  ) {}

  /**
   * Stores a run for each workflow and payload. Executes one statement per thousand items, regardless of the number of
   * firings and workflows. If too many runs of an application wait, senders that wait for a confirmation receive `429`,
   * and other payloads trigger nothing.
   */
  async fire<C extends Cause>(
    cause: C,
    firings: readonly Firing<C>[],
    ...[transaction]: Passed<C>
  ): Promise<Fired<C>> {
    const ids: string[] = [];
    for (const some of portions(this.admitted(cause, firings))) {
      const requestedAt = new Date();
      const rows = await this.run(cause, this.statementOf(cause, some, requestedAt), transaction);
      const runs = rows.map((row) => waitingRun(row, requestedAt));
      if (transaction) transaction.afterCommit(async () => this.handover.committed(runs));
      else await afterCommit(async () => this.handover.committed(runs));
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
    const triggers = firings.flatMap(({ applicationId, triggers }, firing) =>
      triggers.map(({ version = 'default', ...trigger }) => ({ ...trigger, version, firing, applicationId })),
    );
    const items = firings.flatMap(({ applicationId, deviceId = null, isAwaited = false, items }, firing) => {
      const lane = this.handover.laneFor(applicationId, isAwaited);
      return items.map((item) => ({ ...item, firing, lane, applicationId, deviceId }));
    });
    const { text, singleText, triggerCount } = cause;
    const isCounted = triggers.length === triggerCount;
    const isSingle = items.length === 1 && firings.length === 1 && (isCounted || triggerCount === 'any');
    const asked = (isSingle && isCounted ? byRow : byColumn)(columns.triggers, triggers);
    const received = (isSingle ? byRow : byColumn)(columns.items, items);
    return prepared(isSingle ? singleText! : text, [newId(), requestedAt, ...asked, ...received]);
  }

  private admitted<C extends Cause>({ delivery }: C, firings: readonly Firing<C>[]): readonly Firing<C>[] {
    if (delivery === 'onReceipt')
      for (const { applicationId } of firings) this.backlog.assertRoom(applicationId);
    return firings.map((firing) =>
      this.backlog.admits(firing.applicationId, firing.items.length) ? firing : { ...firing, triggers: [] },
    );
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

type Rows = readonly Readonly<Record<string, unknown>>[];

const byColumn = (columns: Columns, rows: Rows): unknown[] =>
  Object.keys(columns).map((name) => rows.map((row) => row[name]));
const byRow = (columns: Columns, rows: Rows): unknown[] =>
  rows.flatMap((row) => Object.keys(columns).map((name) => row[name]));

/** Splits firings into chunks that one statement can process. A firing is never split. */
function* portions<C extends Cause>(firings: readonly Firing<C>[]): Generator<Firing<C>[]> {
  let some: Firing<C>[] = [];
  let triggers = 0;
  let items = 0;
  for (const firing of firings) {
    const isFull =
      triggers + firing.triggers.length > MAX_TRIGGERS || items + firing.items.length > MAX_ITEMS;
    if (some.length > 0 && isFull) {
      yield some;
      [some, triggers, items] = [[], 0, 0];
    }
    some.push(firing);
    triggers += firing.triggers.length;
    items += firing.items.length;
  }
  if (some.length > 0) yield some;
}
