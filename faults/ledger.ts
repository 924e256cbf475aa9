/** Outcome of a request as the platform reported it; `unknown` if the response, or its absence, proves nothing. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** Something requested exactly once, under a unique name. */
export interface PendingRequest {
  name: string;
  outcome: Outcome;
  /** ID that the platform assigned, if the request succeeded. */
  id?: string;
}

/** A text that one caller changes repeatedly. */
export interface Changed {
  id: string;
  acknowledged: number;
  /** Last value that the platform acknowledged. */
  last: string;
  /** Values with an unknown outcome; each may still be applied later. */
  unknown: Set<string>;
}

/** A webhook and the requests sent to it; at most one request has an unknown outcome. */
export interface Received {
  flowId: string;
  acknowledged: number;
  unknown: number;
}

/** A device that reports 1, 2, 3 …, each for a different time. */
export interface Reported {
  deviceId: string;
  acknowledged: number[];
  unknown: number[];
}

/** Record of the responses that callers received. */
export class Ledger {
  readonly creations: PendingRequest[] = [];
  readonly deletions: PendingRequest[] = [];
  readonly changes: Changed[] = [];
  readonly webhooks: Received[] = [];
  readonly reports: Reported[] = [];
  /** Keyed by the invited email address. */
  readonly invitations: PendingRequest[] = [];
  /** Number of responses by status; 0 means no response. */
  readonly statuses = new Map<number, number>();
  longestMs = 0;

  note(status: number, ms: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.longestMs = Math.max(this.longestMs, ms);
  }
}
