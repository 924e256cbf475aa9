import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { exportEntry } from '../../devices/device-exports/export-entry.js';
import { ExportTurnsRepository } from '../../devices/device-exports/export-turns.repository.js';
import { EVENT_QUERY_FIELDS } from './event.columns.js';
import { EventSelectionRepository } from './event-selection.repository.js';
import { EVENTS_EXPORT, type EventsExportTask } from './events-export.job.js';
import type { EventsExport } from './events-export.resource.js';

const BODY = 'exportData';

/** Accepts requests for exports of events. */
@Injectable()
export class EventsExportService {
  constructor(
    private readonly selected: EventSelectionRepository,
    private readonly turns: ExportTurnsRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async export(
    application: ApplicationAccess,
    { query = {}, format = 'csv', excludeUpdates = false, ...asked }: EventsExport,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const selection = { query };
    compileAdvancedQuery(query, EVENT_QUERY_FIELDS, [], `${BODY}.query`);
    const listeners = this.listeners.resolve(asked, by, BODY);
    const applicationName = await this.selected.nameOf(application.id);
    return this.database.transaction(async (transaction) => {
      await this.turns.acquire(application.id, 'events', this.config.EXPORT_INTERVAL, transaction);
      await writeEntry(transaction.manager, by, exportEntry(application, { applicationName }));
      const bound = await this.selected.bound(application.id, transaction);
      const events = { applicationId: application.id, selection, ...bound };
      const task: EventsExportTask = { events, format, excludeUpdates, listeners };
      const jobId = await this.jobs.enqueue(transaction, EVENTS_EXPORT, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}
