import { ConfigFault } from './config-fault.js';

/** How a text that gives a value is meant. */
export const VALUE_TYPES = ['template', 'json', 'path'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** A path into the payload, such as `working.rows.0`. */
export function checkPath(at: string, path: string): void {
  if (path.includes('{{')) throw new ConfigFault(at, 'must be a path, without templates');
}

export function checkOptionalPath(at: string, path = ''): void {
  if (path !== '') checkPath(at, path);
}

/** A template for text. */
export function checkTemplate(at: string, template: string): void {
  if (template.split('{{').length !== template.split('}}').length)
    throw new ConfigFault(at, 'must close each {{ with }}');
}

/** A number, the text of one, or a template for such text. */
export function checkNumber(at: string, value: string | number): void {
  if (typeof value === 'number') return;
  checkTemplate(at, value);
  if (!value.includes('{{') && (value.trim() === '' || !Number.isFinite(Number(value))))
    throw new ConfigFault(at, 'must be a number, or a template for one');
}

/** A template for a JSON document. */
export function checkJsonTemplate(at: string, template: string): void {
  checkTemplate(at, template);
}

/** An expression that is true or false. */
export function checkExpression(at: string, expression: string): void {
  checkTemplate(at, expression);
}

export function checkOptionalExpression(at: string, expression = ''): void {
  if (expression !== '') checkExpression(at, expression);
}

/** A text that gives a value, as it is meant. */
export function checkValue(at: string, type: ValueType, text: string): void {
  if (type === 'path') checkPath(at, text);
  else if (type === 'json') checkJsonTemplate(at, text);
  else checkTemplate(at, text);
}
