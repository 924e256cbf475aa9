import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { ListenersQuery } from '../../../platform/callbacks/listener-fields.js';
import { JobListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { EVENT_BULK, EventBulkJobs, MAX_BATCH_SIZE } from './event-bulk.jobs.js';
import type { EventChange } from './event-changes.js';
import type { EventPatch, EventsDeleted } from './event.resource.js';
import type { EventSelection } from './event-selection.columns.js';
import { EventSelectionRepository } from './event-selection.repository.js';
import { sourceOf } from './event-source.js';
import type { EventSelectionQuery } from './events.query.js';
import { EventsService } from './events.service.js';

type Answer<T> = Promise<T | Reply<JobEnqueuedResult>>;

/** Updates and deletes events in bulk: in one transaction if possible, otherwise in a job. */
@Injectable()
export class EventBulkService {
  constructor(
    private readonly selected: EventSelectionRepository,
    private readonly events: EventsService,
    private readonly bulk: EventBulkJobs,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly listeners: JobListeners,
  ) {}

  async patch(
    application: ApplicationAccess,
    { filter, state, query, ...listeners }: EventSelectionQuery,
    updates: EventPatch,
    by: Author,
  ): Answer<Success> {
    const selection = { filter, state, query: query?.query };
    const change = { patch: await this.events.named(application, updates, 'updates'), source: sourceOf(by) };
    const done = await this.run(application, selection, change, listeners, by);
    return done instanceof Reply ? done : new Success();
  }

  async delete(
    application: ApplicationAccess,
    query: object,
    listeners: ListenersQuery,
    by: Author,
  ): Answer<EventsDeleted> {
    const removed = await this.run(application, { query }, undefined, listeners, by);
    return removed instanceof Reply ? removed : { removed };
  }

  private async run(
    application: ApplicationAccess,
    selection: EventSelection,
    change: EventChange | undefined,
    listeners: Listeners,
    by: Author,
  ): Answer<number> {
    this.listeners.check(listeners);
    const ids = await this.selected.some(application, selection, MAX_BATCH_SIZE);
    if (ids.length > MAX_BATCH_SIZE) return this.enqueue(application, selection, change, listeners, by);
    if (ids.length === 0) return 0;
    return this.database.transaction((transaction) =>
      this.bulk.act(application.id, ids, change, by, transaction),
    );
  }

  private async enqueue(
    { id: applicationId }: ApplicationAccess,
    selection: EventSelection,
    change: EventChange | undefined,
    { email, callbackUrl }: Listeners,
    by: Author,
  ): Promise<Reply<JobEnqueuedResult>> {
    const told = email !== undefined || callbackUrl !== undefined;
    const listeners = told ? this.listeners.resolve({ email, callbackUrl }, by) : {};
    const jobId = await this.database.transaction(async (transaction) => {
      const events = { applicationId, selection, ...(await this.selected.bound(applicationId, transaction)) };
      return this.jobs.enqueue(transaction, EVENT_BULK, { events, change, by: by.snapshot(), listeners }, by);
    });
    return new Reply(202, Object.assign(new JobEnqueuedResult(), { jobId }));
  }
}
