import { Value } from '../value';

/** What a template yields that is a reference and nothing else: a clone of what it leads to, or no text where that is nothing. */
export function referred(value: Value): Value {
  return value.isUndefined ? Value.text('') : value.clone();
}

export function written(text: string): Value {
  return Value.text(text);
}
