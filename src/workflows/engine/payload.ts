import { PROTOTYPE_NAMES } from '../../lib/json/json.js';
import type { Path } from '../language/paths.js';
import { memberOf, valueAt } from '../language/evaluate.js';
import { MAX_PAYLOAD_BYTES } from './limits.js';
import { RunFault } from './run-error.js';

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

const INDEX = /^(0|[1-9]\d{0,8})$/;
/** Largest index that a write may add to a list, so that one write cannot create a list of 10^9 holes. */
const MAX_INDEX = 262_144;

/** Values of a container that are looked at to find out whether it contains objects of the payload. */
const MAX_LOOKS = 64;
/** Previous value of a member that did not exist. */
const ABSENT = Symbol('absent');

/**
 * The data of one path of a run, copied on write. Paths that start at a fork share all objects and lists; a write copies
 * those on its way that the path has not copied before. Values that are read must therefore never be changed.
 */
export class Payload {
  /** Objects and lists that only this payload refers to, each from one place. They are a tree that begins at the root. */
  private owned?: Set<object>;
  private attempt?: Attempt;
  /** Object or list that the last path of two names led into, and the first name. Most writes go to the same one. */
  private holder?: Container;
  private holderName = '';

  constructor(private root: unknown) {}

  /** The payload as plain data. Must not be changed. */
  get data(): unknown {
    return this.root;
  }

  /** Returns the value at a path, or `undefined`. Must not be changed. */
  get(path: Path): unknown {
    return valueAt(path, this.root);
  }

  /**
   * Writes a value. Creates missing objects, or lists if the next name is an index, and replaces values of other types on
   * the way. Does nothing for the empty path, because the payload as a whole cannot be replaced, and for names that
   * lead to prototypes. The value may be part of this payload. Throws a `RunFault` for a text that is too large.
   * @param isApart whether the value is known to contain no object of this payload
   */
  set(path: Path, value: unknown, isApart = false): void {
    const last = path.length - 1;
    if (last < 0) return;
    for (let i = 0; i <= last; i++) if (isForbidden(path[i]!)) return;
    // The value may contain objects that this payload has copied. From now on they can be in two places.
    if (!isApart) this.lend(value);
    // Templates can double a text each time. A length costs nothing to compare, unlike the size of the payload.
    if (typeof value === 'string' && value.length > MAX_PAYLOAD_BYTES) throw payloadTooLarge();
    if (last === 1 && this.holder && path[0] === this.holderName)
      return this.put(this.holder, path[1]!, value);
    let at = this.own(this.root, path[0]!);
    this.root = at;
    for (let i = 0; i < last; i++) {
      const child = memberOf(at, path[i]!);
      const own = this.own(child, path[i + 1]!);
      if (own !== child) this.put(at, path[i]!, own);
      at = own;
    }
    this.put(at, path[last]!, value);
    if (last > 1) return;
    this.holder = last === 1 ? at : undefined;
    this.holderName = path[0]!;
  }

  /** Removes a value; items after it in a list move up. Does nothing if no value is at the path. */
  remove(path: Path): void {
    const name = path.at(-1);
    const parent = path.slice(0, -1);
    const holder = valueAt(parent, this.root);
    if (name === undefined || !isContainer(holder) || !Object.hasOwn(holder, name)) return;
    if (Array.isArray(holder)) {
      if (!INDEX.test(name)) return;
      const left = holder.toSpliced(Number(name), 1);
      if (parent.length > 0) this.set(parent, left);
      return;
    }
    const { [name]: _removed, ...left } = holder;
    if (parent.length > 0) return this.set(parent, left);
    this.share();
    this.root = left;
  }

  /** Replaces the whole payload. For scripts, which may return another one, and for rounds of loops. */
  replace(root: unknown): void {
    this.share();
    this.root = root;
  }

  /** Returns a payload with the same data. Later changes of either do not show in the other. */
  fork(): Payload {
    this.share();
    return new Payload(this.root);
  }

  /** Lets others keep the present data: later changes are made to copies. */
  share(): void {
    if (!this.owned) return;
    this.attempt?.keepApart(this.owned);
    this.disown();
  }

  /**
   * Begins changes that `rollback` undoes, unless `commit` keeps them. Cheaper than a fork, because copied objects are not
   * copied again. Attempts cannot contain each other.
   */
  begin(): void {
    this.attempt = new Attempt(this.root, this.owned !== undefined);
  }

  get isAttempt(): boolean {
    return this.attempt !== undefined;
  }

  commit(): void {
    this.attempt = undefined;
  }

  rollback(): void {
    this.root = this.attempt?.restored();
    this.disown();
    this.attempt = undefined;
  }

  /** Lets others keep a value that is about to be read or written: later changes in it are made to copies. */
  lend(value: unknown): void {
    if (this.owned && isContainer(value) && looksInto(value, this.owned, MAX_LOOKS) <= 0) this.share();
  }

  private disown(): void {
    this.owned = undefined;
    this.holder = undefined;
  }

  /** Returns `value` as an object or list that this payload may change: itself, a copy of it, or a new one. */
  private own(value: unknown, nextName: string): Container {
    this.owned ??= new Set();
    if (isContainer(value)) {
      if (this.owned.has(value)) return value;
      const copy = copyOf(value);
      this.owned.add(copy);
      return copy;
    }
    const created: Container = INDEX.test(nextName) ? [] : {};
    this.owned.add(created);
    return created;
  }

  private put(container: Container, name: string, value: unknown): void {
    this.attempt?.note(container, name);
    if (!Array.isArray(container)) container[name] = value;
    else if (INDEX.test(name) && Number(name) <= MAX_INDEX) container[Number(name)] = value;
  }
}

/** What a payload was before changes that can be undone. */
class Attempt {
  /** Container, name and previous value of each change. Absent once no later change can concern the previous data. */
  private changes?: unknown[];

  constructor(
    private root: unknown,
    isChangedInPlace: boolean,
  ) {
    if (isChangedInPlace) this.changes = [];
  }

  note(container: Container, name: string): void {
    if (!this.changes) return;
    const isItem = Array.isArray(container) && Number(name) >= container.length;
    if (isItem) this.changes.push(container, 'length', container.length);
    else {
      const member = memberOf(container, name);
      const isAbsent = member === undefined && !Object.hasOwn(container, name);
      this.changes.push(container, name, isAbsent ? ABSENT : member);
    }
  }

  /** Returns the previous data. Undoes the changes to it. */
  restored(): unknown {
    this.undo((container) => container);
    return this.root;
  }

  /**
   * Copies those of the previous objects that have been changed, instead of undoing the changes later, because others refer
   * to the objects from now on.
   */
  keepApart(owned: ReadonlySet<object>): void {
    const copies = new Map<Container, Container>();
    this.undo((container) => {
      const known = copies.get(container);
      if (known) return known;
      const copy = copyOf(container);
      copies.set(container, copy);
      return copy;
    });
    if (copies.size > 0) this.root = withCopies(this.root, owned, copies);
    this.changes = undefined;
  }

  private undo(target: (container: Container) => Container): void {
    const { changes = [] } = this;
    for (let i = changes.length - 3; i >= 0; i -= 3) {
      const container = target(changes[i] as Container) as Record<string, unknown>;
      const name = changes[i + 1] as string;
      if (changes[i + 2] === ABSENT) delete container[name];
      else container[name] = changes[i + 2];
    }
  }
}

/** Returns a tree of owned containers in which some are replaced by their copies. */
function withCopies(
  value: unknown,
  owned: ReadonlySet<object>,
  copies: ReadonlyMap<Container, Container>,
): unknown {
  if (!isContainer(value) || !owned.has(value)) return value;
  let result = copies.get(value);
  for (const [name, child] of Object.entries(result ?? value)) {
    const changed = withCopies(child, owned, copies);
    if (changed === child) continue;
    result ??= copyOf(value);
    (result as Record<string, unknown>)[name] = changed;
  }
  return result ?? value;
}

/**
 * Compares a value and everything in it with the owned objects. Returns the number of looks that are left; 0 or less if
 * one of the objects was found, or if the looks do not suffice.
 */
function looksInto(value: unknown, owned: ReadonlySet<object>, looks: number): number {
  if (!isContainer(value)) return looks - 1;
  if (owned.has(value)) return 0;
  let left = looks - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left > 0; i++) left = looksInto(value[i], owned, left);
    return left;
  }
  for (const name in value) {
    if (left <= 0) return 0;
    left = looksInto(value[name], owned, left);
  }
  return left;
}

/**
 * A spread would turn missing items into ones that are `undefined`. Adding a member to an object that was copied by
 * `{ ...value }` takes a microsecond longer in Node.js 20.
 */
const copyOf = (value: Container): Container =>
  Array.isArray(value) ? value.slice() : Object.assign({}, value);

const payloadTooLarge = (): RunFault =>
  new RunFault('PayloadTooLarge', `The payload must not exceed ${MAX_PAYLOAD_BYTES} bytes`);

/** Compares lengths first, because that decides for most names. */
const isForbidden = (name: string): boolean =>
  (name.length === 9 || name.length === 11) && PROTOTYPE_NAMES.has(name);
