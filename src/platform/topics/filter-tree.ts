import { ALL_LEVELS, isHidden, levelsOf, ONE_LEVEL } from '../../lib/mqtt/topic-filter.js';

/** Level of a filter: the filters that end here, and those that continue. */
class Level<T> {
  values?: Set<T>;
  readonly next = new Map<string, Level<T>>();
}

/**
 * Values by topic filter. Finds those of a topic without comparing it with each filter. A value can be added under
 * several filters.
 */
export class FilterTree<T> {
  private readonly root = new Level<T>();
  private count = 0;

  /** Number of pairs of a filter and a value. */
  get size(): number {
    return this.count;
  }

  add(filter: string, value: T): void {
    let level = this.root;
    for (const name of levelsOf(filter)) {
      let next = level.next.get(name);
      if (!next) level.next.set(name, (next = new Level()));
      level = next;
    }
    level.values ??= new Set();
    if (level.values.has(value)) return;
    level.values.add(value);
    this.count++;
  }

  /** Removes a value, and the levels that nothing needs any more. */
  delete(filter: string, value: T): void {
    const names = levelsOf(filter);
    const path = [this.root];
    for (const name of names) {
      const next = path.at(-1)!.next.get(name);
      if (!next) return;
      path.push(next);
    }
    if (!path.at(-1)!.values?.delete(value)) return;
    this.count--;
    for (let at = names.length; at > 0; at--) {
      const { values, next } = path[at]!;
      if ((values && values.size > 0) || next.size > 0) return;
      path[at - 1]!.next.delete(names[at - 1]!);
    }
  }

  /** Calls `visit` for each value of each filter that matches the topic. A value with several filters is visited again. */
  match(topic: string, visit: (value: T) => void): void {
    if (this.count === 0) return;
    const names = levelsOf(topic);
    const visitFrom = (level: Level<T>, at: number): void => {
      const isWildcardAllowed = at > 0 || !isHidden(topic);
      // `#` also matches the parent level.
      if (isWildcardAllowed) level.next.get(ALL_LEVELS)?.values?.forEach(visit);
      if (at === names.length) return level.values?.forEach(visit);
      const same = level.next.get(names[at]!);
      if (same) visitFrom(same, at + 1);
      const any = isWildcardAllowed ? level.next.get(ONE_LEVEL) : undefined;
      if (any) visitFrom(any, at + 1);
    };
    visitFrom(this.root, 0);
  }

  /** Returns whether one of the filters matches every topic that `filter` matches; `filter` can also be a topic. */
  covers(filter: string): boolean {
    const names = levelsOf(filter);
    const coversFrom = (level: Level<T>, at: number): boolean => {
      const isWildcardAllowed = at > 0 || !isHidden(filter);
      if (isWildcardAllowed && hasEnd(level.next.get(ALL_LEVELS))) return true;
      const name = names[at];
      if (name === undefined) return hasEnd(level);
      if (name === ALL_LEVELS) return false;
      const same = level.next.get(name);
      if (same && coversFrom(same, at + 1)) return true;
      const any = isWildcardAllowed && name !== ONE_LEVEL ? level.next.get(ONE_LEVEL) : undefined;
      return any !== undefined && coversFrom(any, at + 1);
    };
    return coversFrom(this.root, 0);
  }

  /** Returns whether a topic exists that `filter` and one of the filters match. */
  overlaps(filter: string): boolean {
    const names = levelsOf(filter);
    const overlapsFrom = (level: Level<T>, at: number): boolean => {
      const name = names[at];
      const next = [...level.next].filter(([other]) => at > 0 || !areApart(name!, other));
      if (next.some(([other, end]) => other === ALL_LEVELS && hasEnd(end))) return true;
      if (name === undefined) return hasEnd(level);
      if (name === ALL_LEVELS) return hasEnd(level) || next.length > 0;
      const isAlike = (other: string) => other === name || other === ONE_LEVEL || name === ONE_LEVEL;
      return next.some(([other, below]) => isAlike(other) && overlapsFrom(below, at + 1));
    };
    return overlapsFrom(this.root, 0);
  }
}

const hasEnd = (level: { values?: ReadonlySet<unknown> } | undefined): boolean =>
  level?.values !== undefined && level.values.size > 0;

/** Whether one of two first levels is a wildcard that does not match the other one. */
const areApart = (one: string, other: string): boolean =>
  (isHidden(one) && isWildcard(other)) || (isHidden(other) && isWildcard(one));

const isWildcard = (level: string): boolean => level === ONE_LEVEL || level === ALL_LEVELS;
