/** Seeded pseudo-random numbers (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  oneOf<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }
}
