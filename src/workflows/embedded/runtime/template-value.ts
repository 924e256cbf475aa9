import { Value } from './value';

/**
 * Returns the value of a template that is a single reference: a clone of the value, or an empty text if it is
 * undefined.
 */
export function referred(value: Value): Value {
  return value.isUndefined ? Value.text('') : value.clone();
}

export function written(text: string): Value {
  return Value.text(text);
}
