import { isEqual, OPERATORS } from '../evaluate.js';
import type { Helper } from '../handlebars/dialect.js';

const compared =
  (operator: '<' | '<=' | '>' | '>='): Helper =>
  ([one, other]) =>
    OPERATORS[operator](one, other);

/** Comparisons, for blocks and subexpressions. They convert as `==` and `<` of JavaScript do. */
export const CONDITION_HELPERS: Readonly<Record<string, Helper>> = {
  eq: ([one, other]) => isEqual(one, other),
  ne: ([one, other]) => !isEqual(one, other),
  gt: compared('>'),
  gte: compared('>='),
  lt: compared('<'),
  lte: compared('<='),
};
