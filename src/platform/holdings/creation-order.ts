import type { Type } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import type { Holding } from './holding.js';

/**
 * Returns holdings in the order in which their rows are created: those that others refer to, by foreign key or `after`,
 * come first; otherwise the order is as given. Rows are removed in reverse. Throws for an unknown table and for a cycle.
 */
export function creationOrder(holdings: readonly Holding[]): Holding[] {
  const ordered = new Set<Holding>();
  const visit = (holding: Holding, path: readonly Holding[]): void => {
    if (ordered.has(holding)) return;
    const way = [...path, holding];
    if (path.includes(holding)) throw new Error(`Cycle: ${way.map(({ table }) => table).join(' > ')}`);
    for (const parent of parentsOf(holding, holdings)) visit(parent, way);
    ordered.add(holding);
  };
  for (const holding of holdings) visit(holding, []);
  return [...ordered];
}

/** Returns the other holdings that rows of a holding refer to. Throws for an unknown table in `after`. */
export function parentsOf({ type, table, after = [] }: Holding, holdings: readonly Holding[]): Holding[] {
  const keys = getMetadataArgsStorage().foreignKeys.filter(
    ({ target }) => target === type || type.prototype instanceof (target as Type),
  );
  const referenced = new Set(keys.map((key) => (key.type as () => unknown)()));
  const named = after.map((name) => {
    const parent = holdings.find((holding) => holding.table === name);
    if (!parent) throw new Error(`${table}: no holding has the table ${name}`);
    return parent;
  });
  const keyed = holdings.filter((holding) => holding.type !== type && referenced.has(holding.type));
  return [...named, ...keyed];
}

/** Sorts declarations by the position of their table in the order of creation; those of one table keep their order. */
export function inCreationOrder<T>(
  created: readonly Holding[],
  declared: readonly T[],
  tableOf: (declaration: T) => string,
): T[] {
  const positions = new Map(created.map(({ table }, index) => [table, index]));
  return declared.toSorted((a, b) => positions.get(tableOf(a))! - positions.get(tableOf(b))!);
}
