import { Injectable, Logger } from '@nestjs/common';
import { PROCESS_ROLES } from '../../config/config.js';
import { Database } from '../../platform/database/database.js';
import { PendingCounts } from '../../platform/database/pending-counts.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { prepared } from '../../platform/database/statements.js';
import { RunsIn } from '../../platform/processes/roles.js';
import type { Cause } from './cause.js';
import { droppedColumnsOf } from './cause-declaration.js';
import { byColumn, portions, triggerRows, type Firing } from './firing-values.js';

/** Item of dropped firings, in the columns of the statement. */
type DroppedItem = Record<string, unknown> & { times: number; bytes: number };

/** Firings of one cause that differ only in their payloads. */
interface Dropped {
  applicationId: string;
  deviceId?: string | null;
  triggers: Firing<Cause>['triggers'];
  items: DroppedItem[];
  /** Number of firings. */
  firings: number;
}

const INTERVAL_MS = 2_000;
/** Maximum number of different firings of a cause that wait to be counted. */
const MAX_PENDING = 10_000;

/**
 * Counts the runs that were not requested because too many runs of their application wait. Equal firings are collected
 * and their workflows found together, so a dropped run costs no statement.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class DroppedRuns extends PeriodicTask {
  private readonly log = new Logger(DroppedRuns.name);
  private readonly pending = new Map<Cause, PendingCounts<Dropped>>();

  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Could not count dropped runs');
  }

  /** Counts the runs of firings later. */
  add<C extends Cause>(cause: C, firings: readonly Firing<C>[]): void {
    let pending = this.pending.get(cause);
    if (!pending) this.pending.set(cause, (pending = new PendingCounts(addDropped, MAX_PENDING)));
    for (const firing of firings) {
      const items = itemsOf(cause, firing.items);
      const { applicationId, deviceId, triggers } = firing;
      const key = JSON.stringify([applicationId, deviceId, triggers, [...items.keys()]]);
      pending.add([key], { applicationId, deviceId, triggers, items: [...items.values()], firings: 1 });
    }
  }

  /** Stores the collected counts. */
  async store(): Promise<void> {
    for (const [cause, pending] of this.pending)
      await pending.store(MAX_PENDING, (dropped) =>
        this.database.transactionOnce(async (transaction) => {
          for (const some of portions(dropped))
            await transaction.run(prepared(cause.droppedText, [new Date(), ...valuesOf(cause, some)]));
        }),
      );
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await this.store().catch((error: Error) =>
      this.log.warn(`Could not count dropped runs: ${error.message}`),
    );
  }

  protected override async runBatch(): Promise<boolean> {
    await this.store();
    return false;
  }
}

/** Returns the different items without their payloads, by what distinguishes them. */
function itemsOf<C extends Cause>({ reduce }: C, items: Firing<C>['items']): Map<string, DroppedItem> {
  const found = new Map<string, DroppedItem>();
  for (const { bytes = 0, ...rest } of items as readonly ({ given: string; bytes?: number } & object)[]) {
    const item = { ...rest, ...(reduce?.(rest) ?? { given: '{}' }) };
    const key = JSON.stringify(item);
    const known = found.get(key);
    if (known) add(known, { times: 1, bytes });
    else found.set(key, { ...item, times: 1, bytes });
  }
  return found;
}

function addDropped(to: Dropped, { items, firings }: Dropped): void {
  to.firings += firings;
  for (const [at, item] of items.entries()) add(to.items[at]!, item);
}

function add(to: DroppedItem, { times, bytes }: Pick<DroppedItem, 'times' | 'bytes'>): void {
  to.times += times;
  to.bytes += bytes;
}

function valuesOf(cause: Cause, dropped: readonly Dropped[]): unknown[] {
  const columns = droppedColumnsOf(cause);
  const items = dropped.flatMap(({ applicationId, deviceId = null, items, firings }, firing) =>
    items.map((item) => ({ ...item, firing, lane: 0, applicationId, deviceId, firings })),
  );
  return [...byColumn(columns.triggers, triggerRows(dropped)), ...byColumn(columns.items, items)];
}
