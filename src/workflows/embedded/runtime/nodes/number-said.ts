import { numberOfText } from '../number';
import { Value } from '../value';

/** The number that a text says; none, NaN, where it is blank. */
export function numberSaid(text: string): f64 {
  return text.trim().length == 0 ? NaN : numberOfText(text);
}

/** The number that a value is, or says as text; NaN where it is none, or missing. */
export function numberIn(value: Value): f64 {
  if (value.isText) return numberSaid(value.asText);
  return value.isMissing ? NaN : value.toNumber();
}
