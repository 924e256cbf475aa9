import type { DebugMessage } from '../../workflows/engine/debug-message.js';
import type { DebugLevel } from '../../workflows/engine/ports.js';
import { fitsJson } from '../../workflows/engine/size.js';

const LEVELS: readonly DebugLevel[] = ['verbose', 'info', 'warn', 'error'];
const MAX_WATCHES = 1_000;
/** Longest time of a watch, which the platform renews. */
const MAX_WATCH_MS = 60 * 60 * 1_000;
/** Interval of messages to the platform, below its limit of 30 in 15 seconds. */
const FLUSH_MS = 1_000;
const MAX_MESSAGES = 500;
const MAX_PAYLOAD_BYTES = 100 * 1024;
const MAX_BYTES = 200 * 1024;

interface Watch {
  readonly level: number;
  readonly until: number;
}

/** Debug messages of the workflows that somebody watches. They are lost without a connection, and when there are too many. */
export class LiveDebug {
  private readonly watches = new Map<string, Watch>();
  private waiting: string[] = [];
  private timer?: NodeJS.Timeout;

  /** @param send sends a list of messages as JSON */
  constructor(private readonly send: (payload: string) => void) {}

  /** Begins, renews or ends a watch. `until` is a time in milliseconds or a date as text. */
  request({ flowId, level, until }: Readonly<Record<string, unknown>>): void {
    if (typeof flowId !== 'string') return;
    const wanted = LEVELS.indexOf(level as DebugLevel);
    const end = new Date(typeof until === 'string' || typeof until === 'number' ? until : NaN).getTime();
    // A gateway's clock may be wrong.
    const latest = Date.now() + MAX_WATCH_MS;
    this.watches.delete(flowId);
    if (level === null || level === 'none' || this.watches.size >= MAX_WATCHES || end <= Date.now()) return;
    this.watches.set(flowId, {
      level: Math.max(0, wanted),
      until: Number.isNaN(end) ? latest : Math.min(end, latest),
    });
  }

  /** Returns what receives the messages of a workflow, if somebody watches it. */
  of(flowId: string): ((message: DebugMessage) => void) | undefined {
    const watch = this.watches.get(flowId);
    if (!watch) return undefined;
    if (watch.until > Date.now()) return (message) => this.add(message, watch);
    this.watches.delete(flowId);
    return undefined;
  }

  /** Ends all watches. */
  clear(): void {
    this.watches.clear();
    this.waiting = [];
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private add(message: DebugMessage, { level, until }: Watch): void {
    if (until < Date.now() || LEVELS.indexOf(message.level) < level || this.waiting.length >= MAX_MESSAGES)
      return;
    const shown = fitsJson(message.payload, MAX_PAYLOAD_BYTES)
      ? message
      : { ...message, payload: `The payload is larger than ${MAX_PAYLOAD_BYTES} bytes` };
    // The payload may change after this call.
    this.waiting.push(JSON.stringify(shown));
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  private flush(): void {
    this.timer = undefined;
    let bytes = 0;
    let count = 0;
    for (const text of this.waiting) {
      bytes += Buffer.byteLength(text) + 1;
      if (count > 0 && bytes > MAX_BYTES) break;
      count++;
    }
    const sent = this.waiting.splice(0, count);
    if (sent.length > 0) this.send(`[${sent.join(',')}]`);
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.flush(), FLUSH_MS);
  }
}
