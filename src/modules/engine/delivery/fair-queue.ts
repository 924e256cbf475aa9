/** The items of an owner, and its share of the processor. */
interface Turn<T> {
  readonly owner: string;
  readonly waiting: T[];
  /** Index of the first item that has not been taken. */
  head: number;
  /** Milliseconds of processor time that the owner may still use in this round. */
  credit: number;
  /** Number of items taken and not yet finished. */
  open: number;
  /** Usual processor time of an item, in milliseconds: charged in advance, and corrected at its end. */
  usual: number;
}

/** An item that was taken. */
export interface Taken<T> {
  readonly item: T;
  readonly turn: unknown;
  readonly charged: number;
}

/** Taken items after which the array of an owner is shortened. */
const COMPACTION = 1_024;

/**
 * Queue with deficit round robin: in each round, every owner with waiting items uses the same processor time. An owner
 * with few or cheap items therefore waits for at most one round, whatever others ask for. Items of one owner leave in
 * their order. Owners without items have neither credit nor debt.
 */
export class FairQueue<T> {
  private readonly turns = new Map<string, Turn<T>>();
  /** Owners with waiting items. */
  private readonly ring: Turn<T>[] = [];
  private at = 0;
  private count = 0;

  /**
   * @param quantum processor time of an owner in a round, in milliseconds
   * @param maxOpen returns the maximum number of items of an owner that are taken and not finished
   */
  constructor(
    private readonly quantum: number,
    private readonly maxOpen: (owner: string) => number,
  ) {}

  /** Number of waiting items. */
  get size(): number {
    return this.count;
  }

  /** The first waiting item of each owner. */
  get first(): T[] {
    return this.ring.map(({ waiting, head }) => waiting[head]!);
  }

  /** Whether another item of an owner would not have to wait for those before it to be finished. */
  hasRoom(owner: string): boolean {
    const turn = this.turns.get(owner);
    return !turn || turn.open + turn.waiting.length - turn.head < this.maxOpen(owner);
  }

  push(owner: string, item: T): void {
    let turn = this.turns.get(owner);
    if (!turn) {
      turn = { owner, waiting: [], head: 0, credit: this.quantum, open: 0, usual: 0 };
      this.turns.set(owner, turn);
    }
    if (turn.head === turn.waiting.length) this.ring.push(turn);
    turn.waiting.push(item);
    this.count++;
  }

  /** Returns the next item, or `undefined` if none waits whose owner may have another one open. */
  take(): Taken<T> | undefined {
    for (;;) {
      let missingRounds = Infinity;
      for (let looked = 0; looked < this.ring.length; looked++) {
        if (this.at >= this.ring.length) this.at = 0;
        const turn = this.ring[this.at]!;
        if (turn.open < this.maxOpen(turn.owner)) {
          if (turn.credit > 0) return this.takeFrom(turn);
          missingRounds = Math.min(missingRounds, Math.floor(-turn.credit / this.quantum) + 1);
        }
        this.at++;
      }
      if (missingRounds === Infinity) return undefined;
      for (const turn of this.ring)
        turn.credit = Math.min(turn.credit + missingRounds * this.quantum, this.quantum);
    }
  }

  /** Ends a taken item, which has used a processor time in milliseconds. */
  finish({ turn: taken, charged }: Taken<T>, used: number): void {
    const turn = taken as Turn<T>;
    turn.open--;
    turn.credit += charged - used;
    turn.usual += (used - turn.usual) / 8;
    this.forgetIdle(turn);
  }

  private takeFrom(turn: Turn<T>): Taken<T> {
    const item = turn.waiting[turn.head]!;
    turn.head++;
    turn.open++;
    turn.credit -= turn.usual;
    this.count--;
    if (turn.head === turn.waiting.length) this.ring.splice(this.at, 1);
    if (turn.head === turn.waiting.length || turn.head >= COMPACTION) {
      turn.waiting.splice(0, turn.head);
      turn.head = 0;
    }
    return { item, turn, charged: turn.usual };
  }

  private forgetIdle(turn: Turn<T>): void {
    if (turn.open === 0 && turn.waiting.length === 0) this.turns.delete(turn.owner);
  }
}
