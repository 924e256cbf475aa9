import { isShort } from './memory';
import { numberOfText, textOfNumber } from './number';

/** Type of a value. */
export const enum Kind {
  Undefined,
  Null,
  Boolean,
  Number,
  Text,
  List,
  Object,
}

/**
 * JSON value or undefined. Undefined, null, booleans, numbers and texts are immutable and shared freely. A list or
 * object has exactly one owner; a second one gets a clone, so no value contains itself. Nothing here is recursive,
 * because payloads determine the depth of values and the stack is small.
 */
@final
export class Value {
  private constructor(
    readonly kind: Kind,
    private readonly scalar: f64,
    private readonly reference: string | null,
    private readonly list: Array<Value> | null,
    private readonly object: Map<string, Value> | null,
  ) {}

  static scalar(kind: Kind, scalar: f64): Value {
    return new Value(kind, scalar, null, null, null);
  }

  static boolean(value: bool): Value {
    return value ? TRUE : FALSE;
  }

  static number(value: f64): Value {
    return Value.scalar(Kind.Number, value);
  }

  static text(value: string): Value {
    return new Value(Kind.Text, 0, value, null, null);
  }

  /** Creates a list that takes ownership of the items. */
  static list(items: Array<Value> = []): Value {
    return new Value(Kind.List, 0, null, items, null);
  }

  /** Creates an empty object. */
  static object(): Value {
    return new Value(Kind.Object, 0, null, null, new Map<string, Value>());
  }

  @inline
  get isUndefined(): bool {
    return this.kind == Kind.Undefined;
  }

  /** Whether the value is undefined or null. */
  @inline
  get isMissing(): bool {
    return this.kind <= Kind.Null;
  }

  @inline
  get isNumber(): bool {
    return this.kind == Kind.Number;
  }

  @inline
  get isText(): bool {
    return this.kind == Kind.Text;
  }

  @inline
  get isList(): bool {
    return this.kind == Kind.List;
  }

  @inline
  get isObject(): bool {
    return this.kind == Kind.Object;
  }

  /** Value of a number; 0 or 1 for a boolean. */
  @inline
  get asNumber(): f64 {
    return this.scalar;
  }

  /** Value of a text. */
  @inline
  get asText(): string {
    return this.reference!;
  }

  /** Items of a list, not copied. */
  @inline
  get items(): Array<Value> {
    return this.list!;
  }

  /** Properties of an object in insertion order, not copied. */
  @inline
  get members(): Map<string, Value> {
    return this.object!;
  }

  /** Returns a property of an object, otherwise undefined. */
  member(key: string): Value {
    if (this.kind != Kind.Object) return UNDEFINED;
    const members = this.members;
    return members.has(key) ? members.get(key) : UNDEFINED;
  }

  /** Sets a property of an object. Undefined is kept, but not written to JSON. */
  set(key: string, value: Value): this {
    this.members.set(key, value);
    return this;
  }

  /** Whether the value is truthy, as in JavaScript. */
  get truthy(): bool {
    switch (this.kind) {
      case Kind.Undefined:
      case Kind.Null:
        return false;
      case Kind.Boolean:
        return this.scalar != 0;
      case Kind.Number:
        return this.scalar != 0 && !isNaN(this.scalar);
      case Kind.Text:
        return this.asText.length > 0;
      default:
        return true;
    }
  }

  /** Converts the value to a number as JavaScript does, except that lists and objects yield NaN. */
  toNumber(): f64 {
    switch (this.kind) {
      case Kind.Null:
      case Kind.Boolean:
      case Kind.Number:
        return this.scalar;
      case Kind.Text:
        return numberOfText(this.asText);
      default:
        return NaN;
    }
  }

  /** Converts a scalar to text as JavaScript does. For lists and objects, see `writeJson`. */
  scalarText(): string {
    switch (this.kind) {
      case Kind.Undefined:
        return 'undefined';
      case Kind.Null:
        return 'null';
      case Kind.Boolean:
        return this.scalar != 0 ? 'true' : 'false';
      case Kind.Number:
        return textOfNumber(this.scalar);
      default:
        return this.asText;
    }
  }

  /** Returns a deep copy. */
  clone(): Value {
    if (this.kind < Kind.List) return this;
    const copy = this.hollow();
    const sources: Array<Value> = [this];
    const copies: Array<Value> = [copy];
    while (sources.length > 0 && !isShort()) {
      const from = sources.pop();
      const to = copies.pop();
      if (from.kind == Kind.List) {
        const items = from.items;
        for (let i = 0; i < items.length; i++) to.items.push(copied(items[i], sources, copies));
      } else {
        const keys = from.members.keys();
        const values = from.members.values();
        for (let i = 0; i < keys.length; i++) to.members.set(keys[i], copied(values[i], sources, copies));
      }
    }
    return copy;
  }

  /** Returns an empty container of the same type. */
  hollow(): Value {
    return this.kind == Kind.List ? Value.list() : Value.object();
  }

  /** Compares deeply, ignoring the order of properties. A property that is undefined counts as present. */
  equals(other: Value): bool {
    if (this.kind < Kind.List) return sameScalar(this, other);
    const left: Array<Value> = [this];
    const right: Array<Value> = [other];
    while (left.length > 0) {
      const one = left.pop();
      const another = right.pop();
      if (one.kind != another.kind) return false;
      if (one.kind == Kind.List) {
        const items = one.items;
        const others = another.items;
        if (items.length != others.length) return false;
        for (let i = 0; i < items.length; i++) {
          if (!compared(items[i], others[i], left, right)) return false;
        }
      } else {
        const keys = one.members.keys();
        const values = one.members.values();
        if (keys.length != another.members.size) return false;
        for (let i = 0; i < keys.length; i++) {
          if (!another.members.has(keys[i])) return false;
          if (!compared(values[i], another.members.get(keys[i]), left, right)) return false;
        }
      }
    }
    return true;
  }
}

export const UNDEFINED: Value = Value.scalar(Kind.Undefined, 0);
export const NULL: Value = Value.scalar(Kind.Null, 0);
export const FALSE: Value = Value.scalar(Kind.Boolean, 0);
export const TRUE: Value = Value.scalar(Kind.Boolean, 1);

/** Returns a scalar, or an empty container that is queued to be filled. */
function copied(value: Value, sources: Array<Value>, copies: Array<Value>): Value {
  if (value.kind < Kind.List) return value;
  const copy = value.hollow();
  sources.push(value);
  copies.push(copy);
  return copy;
}

/** Compares scalars, and queues containers to be compared. */
function compared(one: Value, another: Value, left: Array<Value>, right: Array<Value>): bool {
  if (one.kind < Kind.List) return sameScalar(one, another);
  left.push(one);
  right.push(another);
  return true;
}

/** Compares scalars like `===`. */
function sameScalar(one: Value, another: Value): bool {
  if (one.kind != another.kind) return false;
  if (one.kind == Kind.Text) return one.asText == another.asText;
  return one.asNumber == another.asNumber;
}
