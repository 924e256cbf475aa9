import { includes, isEqual, lengthOf, printed, valueAt } from '../evaluate.js';
import { spend } from '../handlebars/budget.js';
import type { Call, Helper } from '../handlebars/dialect.js';
import { parsePath, type Path } from '../paths.js';
import { SyntaxFault } from '../syntax-fault.js';

/** Returns the items of a list, counted as steps; other values have none. */
function itemsOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  spend(value.length);
  return value;
}

/** Returns the argument at a position, or the one with one of the names. */
const argument = (
  args: readonly unknown[],
  index: number,
  { hash }: Call,
  names: readonly string[],
  otherwise: string,
): string => {
  const name = names.find((each) => hash.has(each));
  return printed(args[index] ?? (name === undefined ? undefined : hash.get(name)) ?? otherwise);
};

/** Returns the path that a text is, or the name. */
function pathOf(text: string): Path {
  try {
    return parsePath(text);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return [text];
  }
}

/** Helpers of lists. */
export const LIST_HELPERS: Readonly<Record<string, Helper>> = {
  length: ([value]) => lengthOf(value),
  includes: ([collection, value]) => includes(collection, value),
  join: (args, call) => {
    const separator = argument(args, 1, call, ['separator', 'sep'], ',');
    return Array.isArray(args[0]) ? itemsOf(args[0]).map(printed).join(separator) : printed(args[0]);
  },
  last: ([value]) =>
    typeof value === 'string' || Array.isArray(value) ? (value.at(-1) as unknown) : undefined,
  array: (args) => args,
  valueByKey: (args, call) => {
    const [list, key] = args;
    const keyPath = pathOf(argument(args, 2, call, ['keyField', 'path'], 'key'));
    const valuePath = pathOf(argument(args, 3, call, ['valueField', 'value'], 'value'));
    const item = itemsOf(list).find((one) => isEqual(valueAt(keyPath, one), key));
    return valueAt(valuePath, item);
  },
  indexByKey: (args, call) => {
    const [list, value] = args;
    const path = pathOf(argument(args, 2, call, ['keyField', 'path'], 'key'));
    return itemsOf(list).findIndex((one) => isEqual(valueAt(path, one), value));
  },
};
