import { LRUCache } from 'lru-cache';
import { printed } from './evaluate.js';
import { nested, spend, templateFault } from './handlebars/budget.js';
import type { Dialect, Helper } from './handlebars/dialect.js';
import { SafeText } from './handlebars/safe-text.js';
import { Scope } from './handlebars/scope.js';
import { prepareTemplate } from './handlebars/template.js';
import { HELPERS } from './helpers/index.js';
import { prepareExpression } from './server-expressions.js';
import { SyntaxFault } from './syntax-fault.js';

/** Steps for each character of a text that is parsed while a template is rendered: parsing is as slow. */
const STEPS_OF_CHARACTER = 10;
/** Maximum depth of templates within templates of workflows. */
const MAX_DEPTH = 20;
/** Texts of a dialect that stay prepared, because many are rendered again and again. */
const MAX_PREPARED = 500;
const MAX_PREPARED_LENGTH = 2_000;

/** Returns a function that prepares texts of the payload, within the limits of the rendering. */
function preparing<T extends object>(prepare: (text: string) => T): (text: string) => T {
  const prepared = new LRUCache<string, T>({ max: MAX_PREPARED });
  return (text) => {
    const known = prepared.get(text);
    if (known) return known;
    spend(text.length * STEPS_OF_CHARACTER);
    try {
      const made = prepare(text);
      if (text.length <= MAX_PREPARED_LENGTH) prepared.set(text, made);
      return made;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      throw templateFault(`A text that a template contains ${error.message}`);
    }
  };
}

/** Helpers that render and evaluate texts of the payload in a dialect, at most `maxDepth` within each other. */
export function textHelpers(dialect: () => Dialect, maxDepth = MAX_DEPTH): Readonly<Record<string, Helper>> {
  const templateOf = preparing((text) => prepareTemplate(text, dialect()));
  const expressionOf = preparing((text) => prepareExpression(text, dialect()));
  return {
    /** `template text context?`: renders a text, by default with the same `this`. Values of other types are unchanged. */
    template: (args, { scope }) => {
      const [text] = args;
      if (typeof text !== 'string') return text;
      const { render } = templateOf(text);
      return new SafeText(nested(() => render(Scope.root(contextOf(args, scope))), maxDepth));
    },
    /** `evalExpression text context?`: returns the value of an expression. */
    evalExpression: (args, { scope }) => {
      const text = printed(args[0]);
      if (text.trim() === '') return false;
      const value = expressionOf(text);
      return nested(() => value(Scope.root(contextOf(args, scope))), maxDepth);
    },
  };
}

const contextOf = (args: readonly unknown[], { context }: Scope): unknown =>
  args.length > 1 ? args[1] : context;

/** What templates and expressions of cloud, experience, edge and custom node workflows can call. */
export const SERVER_DIALECT: Dialect = {
  helpers: new Map(Object.entries({ ...HELPERS, ...textHelpers(() => SERVER_DIALECT) })),
  bare: new Set(['currentDateTime']),
};
