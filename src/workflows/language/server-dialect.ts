import { printed } from './evaluate.js';
import { nested, spend } from './handlebars/budget.js';
import { templateFault } from './handlebars/budget.js';
import type { Dialect, Helper } from './handlebars/dialect.js';
import { SafeText } from './handlebars/safe-text.js';
import { Scope } from './handlebars/scope.js';
import { prepareTemplate } from './handlebars/template.js';
import { HELPERS } from './helpers/index.js';
import { prepareExpression } from './server-expressions.js';
import { SyntaxFault } from './syntax-fault.js';

/** Steps for each character of a text that is parsed while a template is rendered. */
const STEPS_OF_CHARACTER = 4;

/** Prepares and runs a text of the payload, within the limits of the rendering. */
function prepared<T>(text: string, prepare: () => T): T {
  spend(text.length * STEPS_OF_CHARACTER);
  try {
    return prepare();
  } catch (error) {
    throw error instanceof SyntaxFault
      ? templateFault(`A text that a template contains ${error.message}`)
      : error;
  }
}

/** `template text context?`: renders a text of the payload as a template, by default with the same `this`. */
const template: Helper = (args, { scope }) => {
  const text = printed(args[0]);
  const { render } = prepared(text, () => prepareTemplate(text, SERVER_DIALECT));
  const context = args.length > 1 ? args[1] : scope.context;
  return new SafeText(nested(() => render(Scope.root(context))));
};

/** `evalExpression text`: returns the value of an expression of the payload. */
const evalExpression: Helper = ([source], { scope }) => {
  const text = printed(source);
  if (text.trim() === '') return false;
  const value = prepared(text, () => prepareExpression(text, SERVER_DIALECT));
  return nested(() => value(Scope.root(scope.context)));
};

/** What templates and expressions of cloud, experience, edge and custom node workflows can call. */
export const SERVER_DIALECT: Dialect = {
  helpers: new Map(Object.entries({ ...HELPERS, template, evalExpression })),
  bare: new Set(['currentDateTime']),
};
