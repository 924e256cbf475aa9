/** Length of the windows in which messages are counted. */
export const WINDOW_MS = 15_000;
/** Topics of a client that are counted before expired windows are removed. */
const MAX_TOPICS = 300;

/** Maximum number of messages in a window: of a client, and of a client on a topic; 0 for no limit. */
export interface MessageLimits {
  perClient: number;
  perTopic: number;
}

interface Window {
  count: number;
  endsAt: number;
}

/** Counts the messages of a client. A window begins with its first message. */
export class MessageWindows {
  private readonly all: Window = { count: 0, endsAt: 0 };
  private readonly topics = new Map<string, Window>();

  constructor(private readonly limits: MessageLimits) {}

  /** Counts a packet, and the topic of a message. Returns whether the client may send it; times are in milliseconds. */
  admits(now: number, topic?: string): boolean {
    const { perClient, perTopic } = this.limits;
    if (perClient > 0 && !counts(this.all, perClient, now)) return false;
    if (topic === undefined || perTopic === 0) return true;
    let window = this.topics.get(topic);
    if (!window) {
      if (this.topics.size >= MAX_TOPICS) this.removeExpired(now);
      this.topics.set(topic, (window = { count: 0, endsAt: 0 }));
    }
    return counts(window, perTopic, now);
  }

  private removeExpired(now: number): void {
    for (const [topic, { endsAt }] of this.topics) if (endsAt <= now) this.topics.delete(topic);
  }
}

function counts(window: Window, max: number, now: number): boolean {
  if (now >= window.endsAt) {
    window.count = 0;
    window.endsAt = now + WINDOW_MS;
  }
  return ++window.count <= max;
}
