import { Injectable, Logger } from '@nestjs/common';
import { PROCESS_ROLES } from '../../config/config.js';
import { Database } from '../../platform/database/database.js';
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
/** Maximum number of different firings that wait to be counted. */
const MAX_PENDING = 10_000;

/**
 * Counts the runs that were not requested because too many runs of their application wait. Equal firings are collected
 * and their workflows found together, so a dropped run costs no statement.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class DroppedRuns extends PeriodicTask {
  private readonly log = new Logger(DroppedRuns.name);
  private pending = new Map<Cause, Map<string, Dropped>>();
  private count = 0;

  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Could not count dropped runs');
  }

  /** Counts the runs of firings later. */
  add<C extends Cause>(cause: C, firings: readonly Firing<C>[]): void {
    const known = this.pending.get(cause) ?? new Map<string, Dropped>();
    this.pending.set(cause, known);
    for (const firing of firings) {
      const items = itemsOf(cause, firing.items);
      const { applicationId, deviceId, triggers } = firing;
      const key = JSON.stringify([applicationId, deviceId, triggers, [...items.keys()]]);
      const dropped = known.get(key);
      if (dropped) {
        dropped.firings++;
        for (const [at, item] of [...items.values()].entries()) add(dropped.items[at]!, item);
      } else if (this.count < MAX_PENDING) {
        this.count++;
        known.set(key, { applicationId, deviceId, triggers, items: [...items.values()], firings: 1 });
      }
    }
  }

  /** Stores the collected counts. */
  async store(): Promise<void> {
    const { pending } = this;
    this.pending = new Map();
    this.count = 0;
    for (const [cause, dropped] of pending)
      for (const some of portions([...dropped.values()]))
        await this.database.run(prepared(cause.droppedText, [new Date(), ...valuesOf(cause, some)]));
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
