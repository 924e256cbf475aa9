import { Module } from '@nestjs/common';
import { DebugMessages } from './debug-messages.js';
import { DebugStreams } from './debug-streams.js';
import { DebugWatches } from './debug-watches.js';
import { WatchedChannels } from './watched-channels.js';

/** Debug messages of running workflows: their streams, and what engines and brokers send to them. */
@Module({
  providers: [DebugMessages, DebugStreams, DebugWatches, WatchedChannels],
  exports: [DebugMessages, DebugStreams, DebugWatches, WatchedChannels],
})
export class DebugModule {}
