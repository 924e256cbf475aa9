import { Module } from '@nestjs/common';
import { DroppedRuns } from './dropped-runs.js';
import { Firings } from './fire.js';
import { Handover } from './handover.js';
import { Replies } from './replies.js';
import { ReportedRunsRepository } from './reported-runs.repository.js';
import { RunBacklog } from './run-backlog.js';
import { StoredRunsRepository } from './stored-runs.repository.js';

/** Enqueues runs, for every module whose changes or received messages trigger workflows. */
@Module({
  providers: [
    DroppedRuns,
    Firings,
    Handover,
    Replies,
    ReportedRunsRepository,
    RunBacklog,
    StoredRunsRepository,
  ],
  exports: [Firings, Handover, Replies, ReportedRunsRepository],
})
export class FiringsModule {}
