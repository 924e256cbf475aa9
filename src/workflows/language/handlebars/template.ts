import { valueAt } from '../evaluate.js';
import { written } from './budget.js';
import type { Dialect } from './dialect.js';
import { prepareProgram, type Template } from './program.js';
import { parseReferences, renderReferences } from './references.js';

/** Prepares a template of a dialect; `escapes` says whether two braces escape for HTML. Throws a `SyntaxFault`. */
export function prepareTemplate(text: string, dialect: Dialect, escapes = true): Template {
  const parts = parseReferences(text, dialect);
  if (!parts) return prepareProgram(text, dialect, escapes);
  const [only = '', ...others] = parts;
  if (typeof only === 'string' && others.length === 0) {
    const constant = only;
    return { constant, render: () => written(constant) };
  }
  const shown = escapes
    ? parts
    : parts.map((part) => (typeof part === 'string' ? part : { ...part, escapes }));
  const render: Template['render'] = (scope) => renderReferences(shown, scope.context);
  if (typeof only === 'string' || others.length > 0) return { render };
  return { render, reference: (scope) => valueAt(only.path, scope.context) };
}
