import { hasMembers } from '../members.js';
import { nested, spend, spendOutput, templateFault } from './budget.js';
import { Scope, type Partial, type Partials, type Text, type Value } from './scope.js';

/** An inline partial that is ready to be rendered. */
export interface PreparedPartial {
  readonly name: string;
  readonly body: Text;
}

/** A call of a partial. */
interface PartialCall {
  readonly name: Value;
  /** `this` of the partial, by default that of the caller. */
  readonly context: Value | undefined;
  /** Members that the call adds to `this`. */
  readonly hash: readonly (readonly [string, Value])[];
  /** Space before each line. */
  readonly indent: string;
  /** Body of the call, which the partial renders with `{{> @partial-block}}`, and what shows if there is no partial. */
  readonly block: Text | undefined;
}

const BLOCK = '@partial-block';
const MAX_DEPTH = 50;

/** Returns a text whose partials are defined before all else of it is rendered. */
export const withInlinePartials =
  (partials: readonly PreparedPartial[], text: Text): Text =>
  (scope) => {
    const defined = new Map<string, Partial>();
    const inner = scope.with({ defined, outer: scope.partials });
    for (const { name, body } of partials) defined.set(name, { body, scope: inner });
    return text(inner);
  };

/** Returns the text of a call of a partial. */
export const partialCall = ({ name, context, hash, indent, block }: PartialCall): Text => {
  return (scope) => {
    spend(1);
    const called = name(scope);
    const partial = typeof called === 'string' ? findPartial(scope.partials, called) : undefined;
    if (!partial) {
      if (block) return block(scope);
      throw templateFault(`The template calls the partial ${JSON.stringify(called)}, which is not defined`);
    }
    const self = withMembers(context ? context(scope) : scope.context, hash, scope);
    const partials = block
      ? { defined: new Map([[BLOCK, { body: block, scope }]]), outer: scope.partials }
      : scope.partials;
    const text = nested(() => partial.body(scopeOf(partial, self, scope, partials)), MAX_DEPTH);
    return indent === '' ? text : indented(text, indent);
  };
};

/** Indents all lines, except for an empty one at the end. */
function indented(text: string, indent: string): string {
  const lines = text.split('\n');
  spendOutput(lines.length * indent.length);
  return lines
    .map((line, i) => (line === '' && i === lines.length - 1 ? line : `${indent}${line}`))
    .join('\n');
}

/** A partial sees the scope of its definition, and the `@` variables and partials of its caller. */
function scopeOf({ scope }: Partial, context: unknown, caller: Scope, partials: Partials | undefined): Scope {
  const outer = context === scope.context ? scope.outer : scope;
  return new Scope(context, outer, caller.data, scope.locals, partials);
}

function findPartial(partials: Partials | undefined, name: string): Partial | undefined {
  for (let at = partials; at; at = at.outer) {
    const found = at.defined.get(name);
    if (found) return found;
  }
  return undefined;
}

function withMembers(context: unknown, hash: readonly (readonly [string, Value])[], scope: Scope): unknown {
  if (hash.length === 0) return context;
  const members = Object.fromEntries(hash.map(([key, value]) => [key, value(scope)]));
  return hasMembers(context) ? { ...context, ...members } : members;
}
