import { parseExpression } from '../language/parse-expression.js';
import { parsePath } from '../language/paths.js';
import { SyntaxFault } from '../language/syntax-fault.js';
import { parseJsonTemplate, parseNumberTemplate, parseTextTemplate } from '../language/templates.js';
import { ConfigFault } from './config-fault.js';

/** How a text that gives a value is meant. */
export const VALUE_TYPES = ['template', 'json', 'path'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Checks the text of a member by parsing it. */
function checkWith(parse: (text: string) => unknown): (at: string, text: string) => void {
  return (at, text) => {
    try {
      parse(text);
    } catch (error) {
      throw error instanceof SyntaxFault ? new ConfigFault(at, error.message) : error;
    }
  };
}

/** A path into the payload, such as `working.rows.[0]`. */
export const checkPath = checkWith(parsePath);

export function checkOptionalPath(at: string, path = ''): void {
  if (path !== '') checkPath(at, path);
}

/** A path that something is put at, which the payload itself cannot be. */
export const checkTarget = checkWith((text) => {
  if (parsePath(text).length === 0) throw new SyntaxFault('must not be the whole payload', 0);
});

export function checkOptionalTarget(at: string, path = ''): void {
  if (path !== '') checkTarget(at, path);
}

/** A template for text. */
export const checkTemplate = checkWith(parseTextTemplate);

const checkNumberTemplate = checkWith(parseNumberTemplate);

/** A number, the text of one, or a template for such text. */
export function checkNumber(at: string, value: string | number): void {
  if (typeof value === 'string') checkNumberTemplate(at, value);
}

/** A template for a JSON document. */
export const checkJsonTemplate = checkWith(parseJsonTemplate);

/** An expression that is true or false. */
export const checkExpression = checkWith(parseExpression);

export function checkOptionalExpression(at: string, expression = ''): void {
  if (expression !== '') checkExpression(at, expression);
}

/** A text that gives a value, as it is meant. */
export function checkValue(at: string, type: ValueType, text: string): void {
  if (type === 'path') checkPath(at, text);
  else if (type === 'json') checkJsonTemplate(at, text);
  else checkTemplate(at, text);
}
