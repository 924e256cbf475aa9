import { numberOfText } from '../number';

/** The number that a text says; none, NaN, where it is blank. */
export function numberSaid(text: string): f64 {
  return text.trim().length == 0 ? NaN : numberOfText(text);
}
