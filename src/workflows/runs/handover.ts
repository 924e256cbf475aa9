import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Streams } from '../../platform/streams/streams.js';
import { laneOf } from './lanes.js';

/** Key of a stored run that no engine has finished. */
export interface RunKey {
  lane: number;
  seq: number;
}

/** A stored run that no engine has finished. */
export interface WaitingRun extends RunKey {
  id: string;
  applicationId: string;
  flowId: string;
  /** `null` for the development version. */
  flowVersionId: string | null;
  deviceId: string | null;
  /** Row of `flow_run_payloads` with the trigger; `null` if the run has it. */
  payloadId: string | null;
  requestedAt: Date;
}

/** A run that was just stored, with what its statement knows of it. */
export interface CommittedRun extends WaitingRun {
  /** Trigger as JSON, and stamp of the program at `readAt`, by `performance.now()`. */
  known?: { trigger: string; stamp: string; readAt: number };
}

/** The engine of this process, if it has one. */
export interface LaneOwner {
  owns(lane: number): boolean;
  /** Lane that this process owns, for runs that it should execute itself; `undefined` if it owns none or has no room. */
  ownLane(applicationId: string): number | undefined;
  take(runs: readonly CommittedRun[]): void;
}

/** Channel on which processes name the lanes to which they have added runs, as an array of numbers. */
export const LANES_CHANNEL = 'run-lanes';
const TELL_MS = 3;

/**
 * Hands committed runs to the engine that executes them: directly if it is in this process, otherwise by a message with
 * the numbers of the lanes. A lost message only delays the runs, because engines also look for runs periodically.
 */
@Injectable()
export class Handover implements OnModuleDestroy {
  private owner?: LaneOwner;
  private readonly lanes = new Set<number>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly streams: Streams) {}

  /** Registers the engine of this process. */
  register(owner: LaneOwner): void {
    this.owner = owner;
  }

  /** Returns the lane for new runs. `isAwaited` runs stay in this process if it executes runs at all. */
  laneFor(applicationId: string, isAwaited: boolean): number {
    return (isAwaited ? this.owner?.ownLane(applicationId) : undefined) ?? laneOf(applicationId);
  }

  /** Call this after the runs are committed. */
  committed(runs: readonly CommittedRun[]): void {
    const own = runs.filter(({ lane }) => this.owner?.owns(lane));
    if (own.length > 0) this.owner!.take(own);
    if (own.length === runs.length) return;
    for (const { lane } of runs) if (!this.owner?.owns(lane)) this.lanes.add(lane);
    this.timer ??= setTimeout(() => this.tell(), TELL_MS);
  }

  onModuleDestroy(): void {
    if (this.timer) this.tell();
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.streams.publish(LANES_CHANNEL, { name: 'lanes', data: [...this.lanes] });
    this.lanes.clear();
  }
}
