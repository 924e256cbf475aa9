import { isEmpty } from '../evaluate.js';
import { spend } from './budget.js';
import { Data, type Scope, type Text, type Value } from './scope.js';

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
  if (typeof list !== 'object' || list === null) return otherwise(scope);
  const isList = Array.isArray(list);
  const keys = isList ? undefined : Object.keys(list);
  const { length } = keys ?? (list as unknown[]);
  spend(length);
  const outer = scope.data;
  const { root, args } = outer;
  // Joined once: texts that grow by a piece keep all pieces in memory until they are read.
  const texts: string[] = [];
  for (let index = 0; index < length; index++) {
    const key = keys ? keys[index]! : index;
    // Items of lists have their own indexes, also if others are missing.
    if (isList && !(key in list)) continue;
    const item = (list as Record<number | string, unknown>)[key];
    const data = new Data(root, args, outer, index, key, index === 0, index === length - 1);
    const locals = hasLocals ? { values: [item, key], outer: scope.locals } : scope.locals;
    texts.push(body(scope.inner(item, data, locals)));
  }
  return texts.length > 0 ? texts.join('') : otherwise(scope);
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
