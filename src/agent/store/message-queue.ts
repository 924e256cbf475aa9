import type { Store } from './store.js';

/** Maximum number of messages, and of their bytes. The newest ones replace the oldest. */
export const MAX_MESSAGES = 65_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Message that the platform has not acknowledged. */
export interface QueuedMessage {
  readonly seq: number;
  readonly payload: string;
}

interface Waiting {
  count: number;
  /** Number of the oldest message. */
  first: number;
}

/** Messages to the platform in the order in which they were added. They survive the end of the process. */
export class MessageQueue {
  /** Topics with messages. */
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;
  private bytes = 0;

  constructor(
    private readonly store: Store,
    private readonly limits = { messages: MAX_MESSAGES, bytes: MAX_BYTES },
  ) {
    const rows = store.all(
      'SELECT topic, count(*) AS count, min(seq) AS first, sum(octet_length(payload)) AS bytes FROM messages GROUP BY topic',
    );
    for (const { topic, count, first, bytes } of rows) {
      this.waiting.set(String(topic), { count: Number(count), first: Number(first) });
      this.count += Number(count);
      this.bytes += Number(bytes);
    }
  }

  /** Number of messages. */
  get size(): number {
    return this.count;
  }

  /** Adds a message. Returns the number of old messages that it replaced. */
  add(topic: string, payload: string): number {
    return this.store.transaction(() => {
      const seq = this.store.insert('INSERT INTO messages (topic, payload) VALUES (?, ?)', [topic, payload]);
      this.note(topic, Buffer.byteLength(payload), seq);
      let replaced = 0;
      while (this.count > this.limits.messages || this.bytes > this.limits.bytes) {
        this.removeOldest();
        replaced++;
      }
      return replaced;
    });
  }

  /** Returns the topics with messages; the one with the oldest message is first. */
  topics(): string[] {
    return [...this.waiting].sort(([, a], [, b]) => a.first - b.first).map(([topic]) => topic);
  }

  /** Returns the oldest messages of a topic: at least one, and as many others as have at most `maxBytes` together. */
  oldest(topic: string, max: number, maxBytes: number): readonly QueuedMessage[] {
    const rows = this.store.all('SELECT seq, payload FROM messages WHERE topic = ? ORDER BY seq LIMIT ?', [
      topic,
      max,
    ]);
    const messages: QueuedMessage[] = [];
    let bytes = 0;
    for (const { seq, payload } of rows) {
      bytes += Buffer.byteLength(String(payload)) + 1;
      if (messages.length > 0 && bytes > maxBytes) break;
      messages.push({ seq: Number(seq), payload: String(payload) });
    }
    return messages;
  }

  /** Removes the messages of a topic up to one of them. */
  remove(topic: string, last: number): void {
    const rows = this.store.all(
      'DELETE FROM messages WHERE topic = ? AND seq <= ? RETURNING octet_length(payload) AS bytes',
      [topic, last],
    );
    for (const { bytes } of rows) this.forget(topic, Number(bytes));
    this.moveFirst(topic);
  }

  /** Removes all messages. */
  clear(): void {
    this.store.run('DELETE FROM messages');
    this.waiting.clear();
    this.count = this.bytes = 0;
  }

  private removeOldest(): void {
    const { topic, bytes } = this.store.get(
      'DELETE FROM messages WHERE seq = (SELECT min(seq) FROM messages) RETURNING topic, octet_length(payload) AS bytes',
    )!;
    this.forget(String(topic), Number(bytes));
    this.moveFirst(String(topic));
  }

  private note(topic: string, bytes: number, seq: number): void {
    const known = this.waiting.get(topic);
    if (known) known.count++;
    else this.waiting.set(topic, { count: 1, first: seq });
    this.count++;
    this.bytes += bytes;
  }

  private forget(topic: string, bytes: number): void {
    const known = this.waiting.get(topic)!;
    if (--known.count === 0) this.waiting.delete(topic);
    this.count--;
    this.bytes -= bytes;
  }

  private moveFirst(topic: string): void {
    const known = this.waiting.get(topic);
    if (!known) return;
    const row = this.store.get('SELECT min(seq) AS first FROM messages WHERE topic = ?', [topic]);
    known.first = Number(row!.first);
  }
}
