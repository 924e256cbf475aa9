import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { LINK_SECONDS, linkOutcome } from '../../devices/device-exports/export-link.js';
import { streamOf } from '../../devices/device-exports/pages.js';
import { EventLines, type ReadEvents } from './event-lines.js';
import type { SelectedEvents } from './event-selection.repository.js';

export type ExportFormat = 'csv' | 'json';

/** Input of a job that exports events. */
export interface EventsExportTask {
  events: SelectedEvents;
  format: ExportFormat;
  excludeUpdates: boolean;
  listeners: Listeners;
}

export const EVENTS_EXPORT = defineJob<EventsExportTask>('events.export', {
  timeoutMs: 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ events: { applicationId }, listeners }) => ({
    applicationId,
    operation: 'events.export',
    resourceType: 'event',
    input: loggedListeners(listeners),
  }),
});

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', json: 'application/json' };

/** Exports events to a file. */
@Injectable()
export class EventsExportJob {
  constructor(
    private readonly lines: EventLines,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(EVENTS_EXPORT)
  async run(task: EventsExportTask, job: JobContext): Promise<void> {
    const { applicationId } = task.events;
    const { listeners } = task;
    const about = { type: 'events.export', title: 'The export of events', applicationId, listeners };
    await this.outcomes.runAndNotify(about, job, () => this.export(task, job));
  }

  private async export(task: EventsExportTask, job: JobContext): Promise<Outcome> {
    const { format, excludeUpdates, events } = task;
    const { applicationId } = events;
    const read = { applicationId, ids: this.lines.selectedIds(events), excludeUpdates };
    const text = format === 'csv' ? this.lines.csv(read, job.signal) : this.json(read, job);
    const key = `exports/${job.id}.${format}`;
    await this.blobs.put(key, streamOf(text), { contentType: TYPES[format] });
    return linkOutcome(await this.blobs.link(key, `events.${format}`, LINK_SECONDS));
  }

  private async *json(events: ReadEvents, { signal }: JobContext): AsyncGenerator<string> {
    let before = '[';
    for await (const { events: some, updates } of this.lines.groups(events, signal)) {
      const shown = some.map(({ id, stored }) =>
        (events.excludeUpdates
          ? stored
          : stored.withMembers({ updates: updates.get(id) ?? '[]' })
        ).toJsonText(() => false),
      );
      yield before + shown.join(',\n');
      before = ',\n';
    }
    yield before === '[' ? '[]\n' : ']\n';
  }
}
