import { valueAt } from '../evaluate.js';
import type { Dialect } from './dialect.js';
import { prepareProgram, type Template } from './program.js';
import { parseReferences, renderReferences } from './references.js';

/** Prepares a template of a dialect; `escapes` says whether two braces escape for HTML. Throws a `SyntaxFault`. */
export function prepareTemplate(text: string, dialect: Dialect, escapes = true): Template {
  const parts = parseReferences(text, dialect);
  if (!parts) return prepareProgram(text, dialect, escapes);
  const [only, ...others] = parts;
  const isReference = typeof only === 'object' && others.length === 0;
  const shown = escapes
    ? parts
    : parts.map((part) => (typeof part === 'string' ? part : { ...part, escapes }));
  return {
    render: (scope) => renderReferences(shown, scope.context),
    ...(isReference && { reference: (scope) => valueAt(only.path, scope.context) }),
  };
}
