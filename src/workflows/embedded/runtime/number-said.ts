import { numberOfText } from './number';
import { Value } from './value';

/** Parses a number. Returns NaN for a blank text. */
export function numberSaid(text: string): f64 {
  return text.trim().length == 0 ? NaN : numberOfText(text);
}

/** Converts a value, possibly a text, to a number. Returns NaN if it is missing or not a number. */
export function numberIn(value: Value): f64 {
  if (value.isText) return numberSaid(value.asText);
  return value.isMissing ? NaN : value.toNumber();
}
