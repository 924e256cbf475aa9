import { Injectable, type ExecutionContext } from '@nestjs/common';
import { OpenStreams, type StreamOptions } from '../../platform/streams/open-streams.js';
import type { StreamQuery } from '../../platform/streams/stream-query.js';
import { DebugWatches } from './debug-watches.js';

/** Streams debug messages of runs to clients. */
@Injectable()
export class DebugStreams {
  constructor(
    private readonly streams: OpenStreams,
    private readonly watches: DebugWatches,
  ) {}

  /** Responds with a stream of a channel; resolves when it has started. `find` throws if the caller has no access. */
  open(
    context: ExecutionContext,
    channel: string,
    { keepAliveInterval }: StreamQuery,
    find: StreamOptions['find'] = async () => undefined,
  ): Promise<void> {
    const listening = (): (() => void) => this.watches.watch(channel);
    return this.streams.open(context, { channel, keepAliveInterval, find, listening });
  }
}
