import { isEmpty } from '../evaluate.js';
import { spend } from './budget.js';
import type { Scope, Text, Value } from './scope.js';

interface BlockParts {
  readonly value: Value;
  readonly body: Text;
  readonly otherwise: Text;
  readonly hasLocals: boolean;
  readonly includesZero: Value;
}

/** Blocks of Handlebars itself. */
export const BLOCKS: ReadonlyMap<string, (parts: BlockParts) => Text> = new Map([
  ['if', ({ body, otherwise, ...parts }: BlockParts) => choice(parts, body, otherwise)],
  ['unless', ({ body, otherwise, ...parts }: BlockParts) => choice(parts, otherwise, body)],
  ['each', each],
  ['with', withBlock],
]);

function choice(
  { value, includesZero }: Pick<BlockParts, 'value' | 'includesZero'>,
  then: Text,
  otherwise: Text,
): Text {
  return (scope) => {
    const condition = value(scope);
    const isTrue = condition === 0 ? Boolean(includesZero(scope)) : !isEmpty(condition);
    return isTrue ? then(scope) : otherwise(scope);
  };
}

function withBlock({ value, body, otherwise, hasLocals }: BlockParts): Text {
  return (scope) => {
    const context = value(scope);
    if (context !== 0 && isEmpty(context)) return otherwise(scope);
    const locals = hasLocals ? { values: [context], outer: scope.locals } : scope.locals;
    return body(scope.inner(context, scope.data, locals));
  };
}

function each({ value, body, otherwise, hasLocals }: BlockParts): Text {
  return (scope) => eachOf(value(scope), scope, body, otherwise, hasLocals);
}

function eachOf(list: unknown, scope: Scope, body: Text, otherwise: Text, hasLocals: boolean): string {
  const keys = keysOf(list);
  if (keys.length === 0) return otherwise(scope);
  const { root, args } = scope.data.values;
  // Items of lists have their own indexes, also if others are missing.
  const end = Array.isArray(list) ? list.length : keys.length;
  let text = '';
  for (const [position, key] of keys.entries()) {
    const item = (list as Record<number | string, unknown>)[key];
    const index = typeof key === 'number' ? key : position;
    const values = {
      root,
      args,
      index,
      key,
      first: index === 0,
      last: index === end - 1,
    };
    const locals = hasLocals ? { values: [item, key], outer: scope.locals } : scope.locals;
    text += body(scope.inner(item, { values, outer: scope.data }, locals));
  }
  return text;
}

function keysOf(list: unknown): readonly (number | string)[] {
  if (typeof list !== 'object' || list === null) return [];
  if (Array.isArray(list)) spend(list.length);
  const keys = Array.isArray(list) ? [...list.keys()].filter((index) => index in list) : Object.keys(list);
  spend(keys.length);
  return keys;
}

/** `{{#x}}…{{/x}}`: renders its body for each item of a list, for an object with it as `this`, and for other values once. */
export function section(value: Value, body: Text, otherwise: Text, hasLocals: boolean): Text {
  return (scope) => {
    const context = value(scope);
    if (context === true)
      return body(hasLocals ? scope.inner(scope.context, scope.data, none(scope)) : scope);
    if (context === false || context === null || context === undefined) return otherwise(scope);
    if (Array.isArray(context)) return eachOf(context, scope, body, otherwise, hasLocals);
    const locals = hasLocals ? { values: [context], outer: scope.locals } : scope.locals;
    return body(scope.inner(context, scope.data, locals));
  };
}

const none = (scope: Scope) => ({ values: [], outer: scope.locals });
