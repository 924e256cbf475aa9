import { Module } from '@nestjs/common';
import { DebugStreams } from './debug-streams.js';
import { DebugWatches } from './debug-watches.js';

/** Streams of debug messages of running workflows, and their announcement to engines. */
@Module({ providers: [DebugStreams, DebugWatches], exports: [DebugStreams, DebugWatches] })
export class DebugModule {}
