import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { NO_EVENT } from '../../platform/streams/event-id.js';
import { dataOf } from '../../platform/streams/held-events.js';
import { Streams, type Subscription } from '../../platform/streams/streams.js';
import { DebugWatches, WATCHES_CHANNEL } from './debug-watches.js';

/** Time for which a named channel counts as watched: longer than two announcements. */
const WATCHED_MS = 40_000;

/** The channels of debug messages that streams of any process listen to. */
@Injectable()
@RunsIn('engine', 'broker')
export class WatchedChannels implements OnApplicationBootstrap, OnModuleDestroy {
  /** Channels, with the end of their time in milliseconds. The one that ends first is the first. */
  private readonly watched = new Map<string, number>();
  private readonly listeners: (() => void)[] = [];
  private subscription?: Subscription;

  constructor(
    private readonly streams: Streams,
    private readonly own: DebugWatches,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const listener = {
      receive: (event: Parameters<typeof dataOf>[0]) => this.name(dataOf(event) as string[]),
      // The next announcement makes up for it.
      missed: () => undefined,
    };
    this.subscription = await this.streams.subscribe(WATCHES_CHANNEL, listener, NO_EVENT);
  }

  onModuleDestroy(): void {
    this.subscription?.close();
  }

  get isEmpty(): boolean {
    return this.watched.size === 0 && this.own.isEmpty;
  }

  /** Calls `listener` when processes have named channels, which they repeat while these are watched. */
  onNamed(listener: () => void): void {
    this.listeners.push(listener);
  }

  has(channel: string): boolean {
    return this.own.has(channel) || (this.watched.size > 0 && (this.watched.get(channel) ?? 0) > Date.now());
  }

  private name(channels: readonly string[]): void {
    const now = Date.now();
    for (const channel of channels) {
      this.watched.delete(channel);
      this.watched.set(channel, now + WATCHED_MS);
    }
    for (const [channel, until] of this.watched) {
      if (until > now) break;
      this.watched.delete(channel);
    }
    for (const listener of this.listeners) listener();
  }
}
