import { valueAt } from './evaluate.js';
import { bounded } from './handlebars/budget.js';
import { Scope } from './handlebars/scope.js';
import { prepareTemplate } from './handlebars/template.js';
import { parsePath } from './paths.js';
import { SERVER_DIALECT } from './server-dialect.js';
import { prepareExpression } from './server-expressions.js';

/** A text of a configuration, prepared for any number of payloads. Throws a `RunFault` if it cannot be rendered. */
export type Compiled<T> = (payload: unknown) => T;

/** Prepares a template of a text. Throws a `SyntaxFault`. */
export function compileTemplate(text: string): Compiled<string> {
  const { render, constant } = prepareTemplate(text, SERVER_DIALECT);
  return constant === undefined ? rendering(render) : () => constant;
}

/** Prepares a template of a value: one reference alone yields its value, other texts yield text. Throws a `SyntaxFault`. */
export function compileValue(text: string): Compiled<unknown> {
  const { reference, render } = prepareTemplate(text, SERVER_DIALECT);
  return rendering<unknown>(reference ?? render);
}

/** Like `compileValue`, but other texts are parsed if they are JSON. */
export function compileItem(text: string): Compiled<unknown> {
  const { reference, render } = prepareTemplate(text, SERVER_DIALECT);
  if (reference) return rendering(reference);
  return rendering((scope) => {
    const rendered = render(scope);
    try {
      return JSON.parse(rendered) as unknown;
    } catch {
      return rendered;
    }
  });
}

/**
 * Prepares a template of a JSON document, parsed after rendering. One reference alone to an object or list yields it.
 * Rendering throws a `SyntaxError` if the text is no JSON. Throws a `SyntaxFault`.
 */
export function compileJson(text: string): Compiled<unknown> {
  const { reference, render } = prepareTemplate(text, SERVER_DIALECT);
  return rendering((scope) => {
    const value = reference?.(scope);
    return typeof value === 'object' && value !== null ? value : (JSON.parse(render(scope)) as unknown);
  });
}

/** Prepares a template of a text. One reference alone to an object or list yields it. Throws a `SyntaxFault`. */
export function compileBody(text: string): Compiled<unknown> {
  const { reference, render } = prepareTemplate(text, SERVER_DIALECT);
  return rendering((scope) => {
    const value = reference?.(scope);
    return typeof value === 'object' && value !== null && !(value instanceof Date) ? value : render(scope);
  });
}

/** Like `compileJson`, but yields the text of the document as its author wrote it. */
export function compileJsonText(text: string): Compiled<string> {
  const { reference, render } = prepareTemplate(text, SERVER_DIALECT);
  return rendering((scope) => {
    const value = reference?.(scope);
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
    const written = render(scope);
    JSON.parse(written);
    return written;
  });
}

/** Returns a rendering of payloads within the limits. */
const rendering =
  <T>(render: (scope: Scope) => T): Compiled<T> =>
  (payload) =>
    bounded(render, Scope.root(payload));

/**
 * Prepares a number or a template of one; yields NaN for other texts, and `otherwise` for an empty one. Throws a
 * `SyntaxFault`.
 */
export function compileNumber(setting: number | string, otherwise = NaN): Compiled<number> {
  if (typeof setting === 'number') return () => setting;
  const text = compileTemplate(setting);
  return (payload) => {
    const rendered = text(payload).trim();
    return rendered === '' ? otherwise : Number(rendered);
  };
}

/** Prepares an expression; an empty one yields false. Throws a `SyntaxFault`. */
export function compileExpression(text: string): Compiled<unknown> {
  if (text.trim() === '') return () => false;
  return rendering(prepareExpression(text, SERVER_DIALECT));
}

/** Prepares a path that is read; an empty one yields `undefined`. Throws a `SyntaxFault`. */
export function compilePath(text: string): Compiled<unknown> {
  if (text.trim() === '') return () => undefined;
  const path = parsePath(text);
  return (payload) => valueAt(path, payload);
}
