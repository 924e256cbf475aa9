import { numberOfText } from './number';
import { printed } from './print';
import { Kind, UNDEFINED, Value } from './value';

// Operators of expressions. They behave as in JavaScript, except that arithmetic always yields numbers.

export function toNumber(value: Value): f64 {
  return value.kind < Kind.List ? value.toNumber() : numberOfText(printed(value));
}

/** Checks whether a number is truthy. */
export function isTrue(value: f64): bool {
  return value != 0 && !isNaN(value);
}

/** Implements `&&`. Operands have no side effects, so both are already evaluated. */
export function both(left: Value, right: Value): Value {
  return left.truthy ? right : left;
}

/** `||`. */
export function either(left: Value, right: Value): Value {
  return left.truthy ? left : right;
}

/** Implements `===`: lists and objects equal only themselves. */
export function isSame(left: Value, right: Value): bool {
  return left.kind < Kind.List ? left.equals(right) : left === right;
}

/** `==`. */
export function isAlike(left: Value, right: Value): bool {
  if (left.kind == right.kind) return isSame(left, right);
  if (left.isMissing || right.isMissing) return left.isMissing && right.isMissing;
  if (left.kind >= Kind.List) return right.kind < Kind.List && isAlikeText(printed(left), right);
  if (right.kind >= Kind.List) return isAlikeText(printed(right), left);
  return left.toNumber() == right.toNumber();
}

function isAlikeText(text: string, scalar: Value): bool {
  return scalar.isText ? text == scalar.asText : numberOfText(text) == scalar.toNumber();
}

/** Implements `<`: compares texts by code unit, everything else as numbers. */
export function isLess(left: Value, right: Value): bool {
  if (comparesTexts(left, right)) return compareTexts(printed(left), printed(right)) < 0;
  return toNumber(left) < toNumber(right);
}

/** `<=`. */
export function isAtMost(left: Value, right: Value): bool {
  if (comparesTexts(left, right)) return compareTexts(printed(left), printed(right)) <= 0;
  return toNumber(left) <= toNumber(right);
}

function comparesTexts(left: Value, right: Value): bool {
  return left.kind >= Kind.Text && right.kind >= Kind.Text;
}

export function compareTexts(left: string, right: string): i32 {
  const length = min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const difference = left.charCodeAt(i) - right.charCodeAt(i);
    if (difference != 0) return difference;
  }
  return left.length - right.length;
}

/** Returns the number of items, properties or code units of a list, object or text; undefined for other types. */
export function lengthOf(value: Value): Value {
  if (value.isText) return Value.number(value.asText.length);
  if (value.isList) return Value.number(value.items.length);
  return value.isObject ? Value.number(value.members.size) : UNDEFINED;
}

/** Implements `**`. As in JavaScript, 1 to an infinite power is NaN. */
export function power(base: f64, exponent: f64): f64 {
  return abs(base) == 1 && !isFinite(exponent) ? NaN : Math.pow(base, exponent);
}
