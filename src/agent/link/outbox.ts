import type { Log } from '../log.js';
import type { MessageQueue } from '../store/message-queue.js';
import { Pace } from './pace.js';

/** Sends a message; resolves when the platform has it. */
export type Publish = (topic: string, payload: string) => Promise<void>;

/** Topics with a message on its way. */
const MAX_IN_FLIGHT = 20;
/** Bounds of a report with several states, below those of the platform. */
const MAX_STATES = 500;
const MAX_BYTES = 200 * 1024;
/** Connections that may end while a message is on its way before that message is given up. */
const MAX_REFUSALS = 5;

/**
 * Messages to the platform. Each is stored before it is sent, and removed when the platform has acknowledged it; the order
 * of each topic is kept. States that have waited are sent together.
 */
export class Outbox {
  private readonly inFlight = new Set<string>();
  /** Ends of connections in a row that the oldest message of a topic has seen. */
  private readonly refusals = new Map<string, { seq: number; count: number }>();
  private readonly pace = new Pace();
  private publish?: Publish;
  private timer?: NodeJS.Timeout;
  private replaced = 0;

  constructor(
    private readonly queue: MessageQueue,
    private readonly isState: (topic: string) => boolean,
    /** Whether a topic is that of the gateway's own state. */
    private readonly isOwnState: (topic: string) => boolean,
    /** Whether messages wait for a connection. */
    private readonly isQueueing: () => boolean,
    private readonly log: Log,
  ) {}

  /** Adds a message. Returns `false` if it is lost, because nothing is connected and messages do not wait. */
  add(topic: string, payload: string): boolean {
    if (!this.publish && !this.isQueueing()) return false;
    const replaced = this.queue.add(topic, payload);
    if (replaced > 0 && this.replaced === 0)
      this.log.warn('The queue is full; new messages replace the oldest');
    this.replaced += replaced;
    this.pump();
    return true;
  }

  connected(publish: Publish): void {
    this.publish = publish;
    if (this.queue.size > 0) this.log.info(`${this.queue.size} messages waited for the connection`);
    if (this.replaced > 0) this.log.warn(`${this.replaced} messages were lost, because the queue was full`);
    this.replaced = 0;
    this.pump();
  }

  disconnected(): void {
    this.publish = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isQueueing()) this.queue.clear();
  }

  /** Removes all messages. */
  clear(): void {
    this.queue.clear();
    this.refusals.clear();
  }

  private pump(): void {
    let wait = Infinity;
    for (const topic of this.queue.topics()) {
      if (!this.publish || this.inFlight.size >= MAX_IN_FLIGHT) return;
      if (this.inFlight.has(topic)) continue;
      const own = this.pace.take(topic);
      if (own > 0) wait = Math.min(wait, own);
      else void this.deliver(topic, this.publish);
    }
    if (wait === Infinity || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.pump();
    }, wait);
  }

  private async deliver(topic: string, publish: Publish): Promise<void> {
    const messages = this.isState(topic)
      ? this.queue.oldest(topic, MAX_STATES, MAX_BYTES)
      : this.queue.oldest(topic, 1, MAX_BYTES);
    const { seq } = messages.at(-1)!;
    const payload = messages.length === 1 ? messages[0]!.payload : listOf(messages);
    this.inFlight.add(topic);
    try {
      await publish(topic, payload);
      this.refusals.delete(topic);
      this.queue.remove(topic, seq);
    } catch {
      this.refused(topic, messages[0]!.seq);
    } finally {
      this.inFlight.delete(topic);
    }
    this.pump();
  }

  /**
   * The platform closes the connection for a message on a topic that the device may not use, which would then happen for
   * ever. The gateway may always report its own state.
   */
  private refused(topic: string, seq: number): void {
    if (this.isOwnState(topic)) return;
    const known = this.refusals.get(topic);
    const count = known?.seq === seq ? known.count + 1 : 1;
    if (count < MAX_REFUSALS) {
      this.refusals.set(topic, { seq, count });
      return;
    }
    this.log.error(
      `A message on ${topic} was given up, because ${count} connections ended while it was sent`,
    );
    this.refusals.delete(topic);
    this.queue.remove(topic, seq);
  }
}

const listOf = (messages: readonly { readonly payload: string }[]): string =>
  `[${messages.map(({ payload }) => payload).join(',')}]`;
