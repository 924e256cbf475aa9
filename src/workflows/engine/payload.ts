import { PROTOTYPE_NAMES } from '../../lib/json/json.js';
import type { Path } from '../language/paths.js';
import { valueAt } from '../language/evaluate.js';
import { MAX_PAYLOAD_BYTES } from './limits.js';
import { RunFault } from './run-error.js';

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

const INDEX = /^(0|[1-9]\d{0,8})$/;
/** Largest index that a write may add to a list, so that one write cannot create a list of 10^9 holes. */
const MAX_INDEX = 262_144;

/**
 * The data of one path of a run, copied on write. Paths that start at a fork share all objects and lists; a write copies
 * those on its way that the path has not copied before. Values that are read must therefore never be changed.
 */
export class Payload {
  /** Objects and lists that only this payload refers to, each from one place. */
  private owned?: Set<object>;

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
   */
  set(path: Path, value: unknown): void {
    if (path.length === 0 || path.some(isForbidden)) return;
    // The value may contain objects that this payload has copied. From now on they can be in two places.
    if (isContainer(value)) this.share();
    // Templates can double a text each time. A length costs nothing to compare, unlike the size of the payload.
    else if (typeof value === 'string' && value.length > MAX_PAYLOAD_BYTES) throw payloadTooLarge();
    this.root = this.own(this.root, path[0]!);
    let at = this.root as Container;
    for (let i = 0; i < path.length - 1; i++) {
      const child = childOf(at, path[i]!);
      const own = this.own(child, path[i + 1]!);
      if (own !== child) put(at, path[i]!, own);
      at = own;
    }
    put(at, path.at(-1)!, value);
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
    if (parent.length > 0) this.set(parent, left);
    else this.root = left;
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
    this.owned = undefined;
  }

  /** Returns `value` as an object or list that this payload may change: itself, a copy of it, or a new one. */
  private own(value: unknown, nextName: string): Container {
    this.owned ??= new Set();
    if (isContainer(value)) {
      if (this.owned.has(value)) return value;
      const copy = Array.isArray(value) ? [...value] : { ...value };
      this.owned.add(copy);
      return copy;
    }
    const created: Container = INDEX.test(nextName) ? [] : {};
    this.owned.add(created);
    return created;
  }
}

const payloadTooLarge = (): RunFault =>
  new RunFault('PayloadTooLarge', `The payload must not exceed ${MAX_PAYLOAD_BYTES} bytes`);

/** Compares lengths first, because that decides for most names. */
const isForbidden = (name: string): boolean =>
  (name.length === 9 || name.length === 11) && PROTOTYPE_NAMES.has(name);

function childOf(container: Container, name: string): unknown {
  return Object.hasOwn(container, name) ? (container as Record<string, unknown>)[name] : undefined;
}

function put(container: Container, name: string, value: unknown): void {
  if (!Array.isArray(container)) container[name] = value;
  else if (INDEX.test(name) && Number(name) <= MAX_INDEX) container[Number(name)] = value;
}
