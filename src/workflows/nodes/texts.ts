import { parseExpression } from '../language/parse-expression.js';
import { parsePath } from '../language/paths.js';
import { SyntaxFault } from '../language/syntax-fault.js';
import { parseJsonTemplate, parseNumberTemplate, parseTextTemplate } from '../language/templates.js';
import { ConfigFault } from './config-fault.js';

/** Interpretations of a text that provides a value. */
export const VALUE_TYPES = ['template', 'json', 'path'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Returns a check that parses the text of a property. */
function checkWith(parse: (text: string) => unknown): (at: string, text: string) => void {
  return (at, text) => {
    try {
      parse(text);
    } catch (error) {
      throw error instanceof SyntaxFault ? new ConfigFault(at, error.message) : error;
    }
  };
}

/** Checks a path into the payload, such as `working.rows.[0]`. */
export const checkPath = checkWith(parsePath);

export function checkOptionalPath(at: string, path = ''): void {
  if (path !== '') checkPath(at, path);
}

/** Checks a path that a value is written to. It cannot be the payload as a whole. */
export const checkTarget = checkWith((text) => {
  if (parsePath(text).length === 0) throw new SyntaxFault('must not be the whole payload', 0);
});

export function checkOptionalTarget(at: string, path = ''): void {
  if (path !== '') checkTarget(at, path);
}

/** Checks a template of a text. */
export const checkTemplate = checkWith(parseTextTemplate);

const checkNumberTemplate = checkWith(parseNumberTemplate);

/** Checks a number, its text, or a template of such text. */
export function checkNumber(at: string, value: string | number): void {
  if (typeof value === 'string') checkNumberTemplate(at, value);
}

/** Checks a template of a JSON document. */
export const checkJsonTemplate = checkWith(parseJsonTemplate);

/** Checks a Boolean expression. */
export const checkExpression = checkWith(parseExpression);

export function checkOptionalExpression(at: string, expression = ''): void {
  if (expression !== '') checkExpression(at, expression);
}

/** Checks a text that provides a value, according to its type. */
export function checkValue(at: string, type: ValueType, text: string): void {
  if (type === 'path') checkPath(at, text);
  else if (type === 'json') checkJsonTemplate(at, text);
  else checkTemplate(at, text);
}
