import { LANES, laneOf } from '../../../workflows/runs/lanes.js';
import { LEASE_MS, type ClaimedLane, type LaneLeasesRepository } from './lane-leases.repository.js';

/** A lane of this engine. */
export interface Lane {
  readonly lane: number;
  readonly fence: number;
  /** Whether the previous owner may have begun runs that were in the lane when this engine claimed it. */
  readonly wasAbandoned: boolean;
  /** Runs that have begun and are not stored as finished. */
  open: number;
  /** Whether the lane is released as soon as no run is open; no more runs begin. */
  isLeaving: boolean;
}

/** Maximum number of open runs of an application, in all engines. */
const MAX_OPEN = 100;
/** Part of it for the engines that do not own the lane of the application, which have runs whose senders wait. */
const MAX_OPEN_ELSEWHERE = 30;

/** Time by which a lease ends earlier for this engine than for others. */
const MARGIN_MS = 1_000;

/** The lanes that this engine owns. Engines share the lanes evenly. */
export class Lanes {
  private readonly owned = new Map<number, Lane>();
  /** Time until which the leases are valid, by `performance.now()`. */
  private validUntil = -Infinity;
  private isStopping = false;
  /** Number of engines that have lanes. */
  private engines = 1;

  constructor(
    readonly engineId: string,
    private readonly leases: LaneLeasesRepository,
  ) {}

  get count(): number {
    return this.owned.size;
  }

  /** The lanes from which runs may begin. */
  get active(): Lane[] {
    return this.isValid ? [...this.owned.values()].filter(({ isLeaving }) => !isLeaving) : [];
  }

  /** Returns a lane from which runs may begin. */
  get(lane: number): Lane | undefined {
    const found = this.isValid ? this.owned.get(lane) : undefined;
    return found?.isLeaving ? undefined : found;
  }

  /** Returns the number of the lane of an application if this engine owns it, or of another one that it owns. */
  ownLane(applicationId: string): number | undefined {
    const lane = laneOf(applicationId);
    if (this.get(lane)) return lane;
    const { active } = this;
    return active[lane % active.length]?.lane;
  }

  /**
   * Returns the maximum number of open runs of an application in this engine. Those of all engines add up to the limit
   * of the application, except while engines start or stop.
   */
  maxOpen(applicationId: string): number {
    const others = this.engines - 1;
    const elsewhere = Math.max(1, Math.floor(MAX_OPEN_ELSEWHERE / Math.max(1, others)));
    return this.owned.has(laneOf(applicationId)) ? MAX_OPEN - others * elsewhere : elsewhere;
  }

  /** Renews the leases, claims missing lanes and releases surplus ones. Returns the lanes that were claimed. */
  async balance(): Promise<Lane[]> {
    const sentAt = performance.now();
    const { engines, lanes } = await this.leases.renew(this.engineId);
    const fences = new Map(lanes.map(({ lane, fence }) => [lane, fence]));
    for (const [number, { fence }] of this.owned) if (fences.get(number) !== fence) this.owned.delete(number);
    const kept = this.owned.size;
    // A lane whose claim was answered too late, or whose fence has changed, is new for this process.
    for (const leased of lanes) if (!this.owned.has(leased.lane)) this.add({ ...leased, wasAbandoned: true });
    this.validUntil = sentAt + LEASE_MS - MARGIN_MS;
    this.engines = Math.min(engines, LANES);
    const share = this.isStopping ? 0 : Math.ceil(LANES / engines);
    const surplus = [...this.owned.values()].slice(share);
    for (const lane of this.owned.values()) lane.isLeaving = surplus.includes(lane);
    if (this.owned.size < share)
      for (const claimed of await this.leases.claim(this.engineId, share - this.owned.size))
        this.add(claimed);
    await this.releaseIdle();
    return [...this.owned.values()].slice(kept).filter(({ isLeaving }) => !isLeaving);
  }

  /** Marks all lanes to be released. */
  stop(): void {
    this.isStopping = true;
    for (const lane of this.owned.values()) lane.isLeaving = true;
  }

  /** Releases the lanes that are to be released and have no open run. */
  async releaseIdle(): Promise<void> {
    const idle = [...this.owned.values()].filter(({ isLeaving, open }) => isLeaving && open === 0);
    if (idle.length === 0) return;
    for (const { lane } of idle) this.owned.delete(lane);
    await this.leases.release(
      this.engineId,
      idle.map(({ lane }) => lane),
    );
  }

  private get isValid(): boolean {
    return performance.now() < this.validUntil;
  }

  private add({ lane, fence, wasAbandoned }: ClaimedLane): void {
    this.owned.set(lane, { lane, fence, wasAbandoned, open: 0, isLeaving: false });
  }
}
