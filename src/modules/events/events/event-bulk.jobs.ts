import { Injectable } from '@nestjs/common';
import { JobAuthor, type Author, type AuthorSnapshot } from '../../../platform/audit/author.js';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes } from '../../../platform/callbacks/outcomes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { countSchema } from '../../../platform/fields/schema.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { EventChanges, type EventChange } from './event-changes.js';
import { LISTED_EVENT } from './event-lists.repository.js';
import { EventSelectionRepository, type SelectedEvents } from './event-selection.repository.js';
import { EventsRepository } from './events.repository.js';

/** A bulk operation on events: an update if `change` is set, otherwise a deletion. */
export interface EventBulkJob {
  events: SelectedEvents;
  change?: EventChange;
  by: AuthorSnapshot;
  listeners: Listeners;
}

/** Updates or deletes events in bulk. Each event gets the update of a job only once, regardless of retries. */
export const EVENT_BULK = defineJob<EventBulkJob>('events.bulk', {
  timeoutMs: 60 * 60_000,
  notifies: true,
  log: ({ events: { applicationId }, change, listeners }) => ({
    applicationId,
    operation: operationOf(change),
    resourceType: 'event',
    input: loggedListeners(listeners),
  }),
});

const operationOf = (change?: EventChange): string => (change ? 'events.patch' : 'events.delete');

/** Callback of a bulk operation. */
export const EVENT_BULK_CALLBACK = callbackSchema('EventBulk', {
  done: countSchema('Number of events that were changed or deleted.', 230),
});

/** Progress of a job: ID of the last processed event and number of changed events. */
interface BulkProgress {
  after: string;
  done: number;
}

const INITIAL_PROGRESS: BulkProgress = { after: '', done: 0 };

/** Maximum number of events changed or deleted in one transaction. */
export const MAX_BATCH_SIZE = 100;

/** Runs bulk operations on events. */
@Injectable()
export class EventBulkJobs {
  constructor(
    private readonly selected: EventSelectionRepository,
    private readonly events: EventsRepository,
    private readonly changes: EventChanges,
    private readonly database: Database,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(EVENT_BULK)
  run(payload: EventBulkJob, job: JobContext): Promise<object | undefined> {
    const { events, change, listeners } = payload;
    const type = operationOf(change);
    const about = { type, title: `The operation ${type}`, applicationId: events.applicationId, listeners };
    return this.outcomes.runAndNotify(about, job, async () => {
      const done = await this.walk(payload, job);
      const output = change ? { written: done } : { removed: done };
      return { data: { done }, text: `Processed ${done} events.`, output };
    });
  }

  /** Applies the operation to the events of one transaction and returns the number of affected events. */
  async act(
    applicationId: string,
    ids: readonly string[],
    change: EventChange | undefined,
    by: Author,
    transaction: Transaction,
  ): Promise<number> {
    if (!change) return this.events.deleteMany(applicationId, ids, by, transaction);
    return (await this.changes.patch(applicationId, ids, change, LISTED_EVENT, by, transaction)).length;
  }

  private async walk({ events, change, by }: EventBulkJob, job: JobContext): Promise<number> {
    const author = new JobAuthor(by);
    const own = change && { ...change, jobId: job.id };
    const kept = (job.state as BulkProgress | undefined) ?? INITIAL_PROGRESS;
    let { done } = kept;
    for (let after: string | null = kept.after; after !== null;) {
      const { ids, last } = await this.selected.window(events, after);
      for (let from = 0; from < ids.length; from += MAX_BATCH_SIZE) {
        job.signal.throwIfAborted();
        const some = ids.slice(from, from + MAX_BATCH_SIZE);
        const before = done;
        done = await this.database.transaction(async (transaction) => {
          const sum = before + (await this.act(events.applicationId, some, own, author, transaction));
          await job.saveState({ after: some.at(-1)!, done: sum } satisfies BulkProgress, transaction);
          return sum;
        });
      }
      await job.progress({ completed: done, total: done, status: 'Processing the events' });
      after = last;
    }
    return done;
  }
}
