/** Tokens that a bucket can hold, and tokens that it gains in a second. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** The platform bans devices with more than 30 messages on a topic, or 300 in all, in 15 seconds. */
const TOPIC: Rate = { burst: 3, perSecond: 1.5 };
const ALL: Rate = { burst: 30, perSecond: 15 };
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** Keeps messages to the platform below its limits. */
export class Pace {
  private readonly topics = new Map<string, Bucket>();
  private readonly all: Bucket = { tokens: ALL.burst, at: 0 };

  /** Takes a token for a message on a topic. Without one, returns the time in milliseconds to wait. */
  take(topic: string, now = performance.now()): number {
    if (this.topics.size >= MAX_BUCKETS) this.topics.clear();
    const own = this.topics.get(topic) ?? { tokens: TOPIC.burst, at: now };
    this.topics.set(topic, own);
    const wait = Math.max(waitOf(own, TOPIC, now), waitOf(this.all, ALL, now));
    if (wait > 0) return wait;
    own.tokens--;
    this.all.tokens--;
    return 0;
  }
}

/** Fills a bucket up to now, and returns the time in milliseconds until it has a token. */
function waitOf(bucket: Bucket, { burst, perSecond }: Rate, now: number): number {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
  bucket.at = now;
  return bucket.tokens >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
}
