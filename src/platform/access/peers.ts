/** Time without heartbeats, during which this process listened, after which a peer counts as dead. */
export const MAX_SILENCE_MS = 10_000;
/** How much of the time between two own heartbeats counts as listened: all of it, unless the connection was interrupted. */
export const MAX_LISTENED_MS = 1_000;

/** When a peer was last heard. */
interface Heard {
  at: number;
  /** Time that this process had listened by then. */
  listenedMs: number;
}

/**
 * The other processes of the platform, by their heartbeats. Silence is measured in time during which this process
 * received its own heartbeats, so that its own interruptions neither count as silence of others nor hide their death.
 * All times are in milliseconds of one monotonic clock.
 */
export class Peers {
  private readonly heard = new Map<string, Heard>();
  private listenedMs = 0;
  private listenedAt = -Infinity;

  get size(): number {
    return this.heard.size;
  }

  /** Records a heartbeat of a peer. */
  beat(peer: string, now: number): void {
    this.heard.set(peer, { at: now, listenedMs: this.listenedMs });
  }

  /** Records a heartbeat of this process. Returns the number of peers that count as dead since. */
  ownBeat(now: number): number {
    this.listenedMs += Math.min(now - this.listenedAt, MAX_LISTENED_MS);
    this.listenedAt = now;
    const dead = [...this.heard].filter(
      ([, { listenedMs }]) => this.listenedMs - listenedMs > MAX_SILENCE_MS,
    );
    for (const [peer] of dead) this.heard.delete(peer);
    return dead.length;
  }

  remove(peer: string): void {
    this.heard.delete(peer);
  }

  /** Returns the peers that were heard at most `leaseMs` ago, and the times at which that ends. */
  within(leaseMs: number, now: number): ReadonlyMap<string, number> {
    const until = [...this.heard].map(([peer, { at }]) => [peer, at + leaseMs] as const);
    return new Map(until.filter(([, end]) => end > now));
  }
}
