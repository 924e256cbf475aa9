import { levelsOf } from './topic-filter.js';

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
    const visitAll = (values: ReadonlySet<T> | undefined) => values?.forEach(visit);
    const visitLevel = (level: Level<T>, at: number): void => {
      const isHidden = at === 0 && names[0]!.startsWith('$');
      // `#` also matches the parent level.
      if (!isHidden) visitAll(level.next.get('#')?.values);
      if (at === names.length) return visitAll(level.values);
      const exact = level.next.get(names[at]!);
      if (exact) visitLevel(exact, at + 1);
      const any = isHidden ? undefined : level.next.get('+');
      if (any) visitLevel(any, at + 1);
    };
    visitLevel(this.root, 0);
  }
}
