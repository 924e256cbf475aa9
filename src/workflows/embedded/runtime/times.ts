import { numberOfText } from './number';

const MILLISECONDS_A_DAY: i64 = 86_400_000;
/** Placeholder for a digit in the time format. */
const DIGIT = 0x30;
const FORM = '0000-00-00T00:00:00';

/**
 * Parses a UTC time in the format of `Date.prototype.toISOString` to Unix milliseconds. Returns NaN for any other text.
 */
export function timeOf(text: string): f64 {
  if (text.length <= FORM.length || text.charCodeAt(text.length - 1) != 0x5a) return NaN;
  for (let i = 0; i < FORM.length; i++) {
    const unit = text.charCodeAt(i);
    const form = FORM.charCodeAt(i);
    if (form == DIGIT ? unit < DIGIT || unit > 0x39 : unit != form) return NaN;
  }
  const fraction = text.substring(FORM.length, text.length - 1);
  const seconds = numberOfText(text.substring(17, 19) + fraction);
  const minutes = <f64>(number(text, 11, 13) * 60 + number(text, 14, 16));
  const day = daysSince1970(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
  return <f64>(day * MILLISECONDS_A_DAY) + minutes * 60_000 + seconds * 1000;
}

function number(text: string, from: i32, to: i32): i32 {
  let number = 0;
  for (let i = from; i < to; i++) number = number * 10 + text.charCodeAt(i) - DIGIT;
  return number;
}

/** Returns the days since 1970 in the Gregorian calendar. Years start in March, so that leap days come last. */
function daysSince1970(year: i32, month: i32, day: i32): i64 {
  const years = month > 2 ? year : year - 1;
  const months = month > 2 ? month - 3 : month + 9;
  const leaps = years / 4 - years / 100 + years / 400;
  return <i64>(years * 365 + leaps + (months * 153 + 2) / 5 + day - 719_469);
}
