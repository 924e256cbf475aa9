/** Context of a part of a template: its `this`, the scope around it, `@` variables, block parameters and partials. */
export class Scope {
  constructor(
    readonly context: unknown,
    readonly outer: Scope | undefined,
    private known: Data | undefined,
    readonly locals: Locals | undefined,
    readonly partials?: Partials,
  ) {}

  static root(payload: unknown): Scope {
    return new Scope(payload, undefined, undefined, undefined);
  }

  /** Those of the root are made when they are first read, because few templates do. */
  get data(): Data {
    this.known ??= new Data(this.context, undefined, undefined);
    return this.known;
  }

  /** Returns the scope of a block. A block with the same `this` adds no level for `../`. */
  inner(context: unknown, data = this.data, locals = this.locals): Scope {
    const outer = context === this.context ? this.outer : this;
    return new Scope(context, outer, data, locals, this.partials);
  }

  /** Returns the same scope with additional partials. */
  with(partials: Partials): Scope {
    return new Scope(this.context, this.outer, this.data, this.locals, partials);
  }
}

/** Part of a template as a function of its scope: its value, or its text. */
export type Value = (scope: Scope) => unknown;
export type Text = (scope: Scope) => string;

/** Names of `@` variables. */
export const DATA_NAMES = ['root', 'index', 'key', 'first', 'last', 'args'] as const;

/** `@root`, `@index` and others, and those of the block around it (`@../index`). */
export class Data {
  constructor(
    readonly root: unknown,
    /** Named arguments of the component of a view. */
    readonly args: object | undefined,
    readonly outer: Data | undefined,
    readonly index?: number,
    readonly key?: number | string,
    readonly first?: boolean,
    readonly last?: boolean,
  ) {}

  /** Returns the variables of a component that is called with named arguments. */
  ofComponent(args: object): Data {
    return new Data(this.root, args, undefined, this.index, this.key, this.first, this.last);
  }
}

/** Values of the parameters of a block (`as |item index|`), and those of the block around it. */
export interface Locals {
  readonly values: readonly unknown[];
  readonly outer: Locals | undefined;
}

/** Inline partials by name, each with the scope that it is defined in, and those around them. */
export interface Partials {
  readonly defined: ReadonlyMap<string, Partial>;
  readonly outer: Partials | undefined;
}

export interface Partial {
  readonly body: Text;
  readonly scope: Scope;
}
