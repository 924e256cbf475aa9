import type { Outcome } from '../ledger.js';

/** A command as the API has acknowledged it, with the times of its request and response. */
export interface SentCommand {
  readonly name: string;
  readonly outcome: Outcome;
  readonly sent: number;
  readonly answered: number;
}

/** Time in which a device was connected and subscribed to its commands. */
export interface Presence {
  readonly from: number;
  to: number;
}

/** A device, the workflow that its reports start, and the data table into which the workflow inserts them. */
export interface ReportingIds {
  readonly deviceId: string;
  readonly flowId: string;
  readonly tableId: string;
}

/** What a device sent and received. */
export interface DeviceLedger extends ReportingIds {
  /** How often each report was sent. */
  readonly sent: ReadonlyMap<number, number>;
  readonly acknowledged: ReadonlySet<number>;
  readonly commands: readonly SentCommand[];
  /** How often each command was received. */
  readonly received: ReadonlyMap<string, number>;
  readonly presences: readonly Presence[];
}
