import { Module } from '@nestjs/common';
import { Firings } from './fire.js';
import { Handover } from './handover.js';
import { Replies } from './replies.js';
import { RunBacklog } from './run-backlog.js';

/** Enqueues runs, for every module whose changes or received messages trigger workflows. */
@Module({ providers: [Firings, Handover, Replies, RunBacklog], exports: [Firings, Handover, Replies] })
export class FiringsModule {}
