/** What the platform said of a request: done, refused, or nothing that could be relied on. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** Something that was asked for once, under a name of its own. */
export interface Asked {
  name: string;
  outcome: Outcome;
  /** Of what was done: the id that the platform gave. */
  id?: string;
}

/** A text that is changed again and again by one caller. */
export interface Changed {
  id: string;
  acknowledged: number;
  /** The last value that the platform took. */
  last: string;
  /** Values of which it did not say, each of which may come late. */
  unknown: Set<string>;
}

/** An address for webhooks and what was sent there; what one request came to is unknown at most. */
export interface Received {
  flowId: string;
  acknowledged: number;
  unknown: number;
}

/** A device that reports 1, 2, 3 …, each for a time of its own. */
export interface Reported {
  deviceId: string;
  acknowledged: number[];
  unknown: number[];
}

/** What callers were told. */
export class Ledger {
  readonly creations: Asked[] = [];
  readonly deletions: Asked[] = [];
  readonly changes: Changed[] = [];
  readonly webhooks: Received[] = [];
  readonly reports: Reported[] = [];
  /** By the address that was invited. */
  readonly invitations: Asked[] = [];
  /** Answers by status; 0 is none. */
  readonly statuses = new Map<number, number>();
  longestMs = 0;

  note(status: number, ms: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.longestMs = Math.max(this.longestMs, ms);
  }
}
