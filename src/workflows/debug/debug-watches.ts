import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Streams } from '../../platform/streams/streams.js';

/** Channel on which processes name the channels of debug messages that they listen to, as an array of texts. */
export const WATCHES_CHANNEL = 'debug-watches';
/** Interval after which a process names its channels again, for engines that have started since or lost a message. */
const REPEAT_MS = 15_000;
/** Maximum number of channels in a message. */
const MAX_NAMED = 1_000;

/** The channels of debug messages that streams of this process listen to. Announces them to engines. */
@Injectable()
export class DebugWatches implements OnModuleDestroy {
  private readonly counts = new Map<string, number>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly streams: Streams) {}

  /** Announces a channel until the returned function is called. Runs that begin soon after send their messages. */
  watch(channel: string): () => void {
    this.counts.set(channel, (this.counts.get(channel) ?? 0) + 1);
    this.announce([channel]);
    this.timer ??= setInterval(() => this.announce([...this.counts.keys()]), REPEAT_MS).unref();
    return () => this.release(channel);
  }

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  has(channel: string): boolean {
    return this.counts.has(channel);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private announce(channels: readonly string[]): void {
    for (let i = 0; i < channels.length; i += MAX_NAMED)
      this.streams.publish(WATCHES_CHANNEL, { name: 'watches', data: channels.slice(i, i + MAX_NAMED) });
  }

  private release(channel: string): void {
    const left = this.counts.get(channel)! - 1;
    if (left > 0) this.counts.set(channel, left);
    else this.counts.delete(channel);
    if (this.counts.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
