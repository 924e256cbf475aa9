import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { Streams } from '../../platform/streams/streams.js';
import type { DebugMessage } from '../engine/debug-message.js';
import { jsonBytes } from '../engine/size.js';
import { channelsOf, type DebuggedRun } from './debug-channels.js';
import { WatchedChannels } from './watched-channels.js';

/** What a channel receives in a second, at most. */
export const MAX_MESSAGES = 100;
const MAX_BYTES = 1024 * 1024;
const WINDOW_MS = 1_000;
/** Maximum bytes of a message with its payload, and characters of its text. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_TEXT = 10_000;

/** What a channel has received in the current second. */
interface Window {
  messages: number;
  bytes: number;
  skipped: number;
}

/** Sends debug messages of runs to the streams that listen. */
@Injectable()
@RunsIn('engine', 'broker')
export class DebugMessages implements OnModuleDestroy {
  private readonly windows = new Map<string, Window>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly streams: Streams,
    private readonly watched: WatchedChannels,
  ) {}

  /** Whether any channel is watched. */
  get mayBeWatched(): boolean {
    return !this.watched.isEmpty;
  }

  /** Returns what receives the messages of a run, or `undefined` if nobody listens. */
  sinkOf(run: DebuggedRun): ((message: DebugMessage) => void) | undefined {
    if (!this.mayBeWatched) return undefined;
    const { complete, bare } = channelsOf(run);
    const listening = complete.filter((channel) => this.watched.has(channel));
    const own = bare.filter((channel) => this.watched.has(channel));
    if (listening.length + own.length === 0) return undefined;
    const ids = { flowRunId: run.id, deviceId: run.deviceId ?? undefined };
    return ({ message, payload, ...rest }) => {
      const told = { ...ids, ...rest, message: message.slice(0, MAX_TEXT) };
      for (const channel of listening) this.send(channel, { ...told, payload });
      for (const channel of own) this.send(channel, told);
    };
  }

  onModuleDestroy(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private send(channel: string, message: object): void {
    const window = this.windows.get(channel) ?? this.begin(channel);
    // Sizes are not measured beyond the limit, because that can take longer than the run.
    if (window.messages >= MAX_MESSAGES) return void window.skipped++;
    const [data, bytes] = limited(message);
    if (bytes === undefined || window.bytes + bytes > MAX_BYTES) return void window.skipped++;
    window.messages++;
    window.bytes += bytes;
    this.streams.publish(channel, { name: 'debugMessage', data });
  }

  private begin(channel: string): Window {
    const window = { messages: 0, bytes: 0, skipped: 0 };
    this.windows.set(channel, window);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.windows.delete(channel);
      if (window.skipped === 0) return;
      const data = { count: window.skipped, time: new Date() };
      this.streams.publish(channel, { name: 'debugSkipped', data });
    }, WINDOW_MS).unref();
    this.timers.add(timer);
    return window;
  }
}

/** Returns a message with its size, without the payload if it is too large with it; no size if it still is. */
function limited(message: object): [data: object, bytes: number | undefined] {
  const bytes = jsonBytes(message, MAX_MESSAGE_BYTES);
  if (bytes !== undefined) return [message, bytes];
  const bare = { ...message, payload: undefined, isPayloadOmitted: true };
  return [bare, jsonBytes(bare, MAX_MESSAGE_BYTES)];
}
