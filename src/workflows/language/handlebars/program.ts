import { isEmpty, printed, valueAt } from '../evaluate.js';
import type { Path } from '../paths.js';
import { SyntaxFault } from '../syntax-fault.js';
import { spend, spendText, written } from './budget.js';
import type { Dialect } from './dialect.js';
import { indexOf, parseHandlebars } from './parse.js';
import { escaped, SafeText } from './safe-text.js';
import type { Data, DataValues, Scope } from './scope.js';
import type * as Tree from './tree.js';

export type Value = (scope: Scope) => unknown;
export type Text = (scope: Scope) => string;

/** A template that is ready to be rendered. */
export interface Template {
  readonly render: Text;
  /** Present if the template is exactly one reference. */
  readonly reference?: Value;
  /** Present if the template has no references. */
  readonly constant?: string;
}

const NOTHING: Text = () => '';

/** Prepares a template with helpers and blocks. Nothing of it becomes code. Throws a `SyntaxFault`. */
export function prepareProgram(text: string, dialect: Dialect, escapes = true): Template {
  const tree = parseHandlebars(text);
  const preparation = new Preparation(text, dialect, escapes);
  const [only, ...others] = tree.body;
  const reference =
    only?.type === 'MustacheStatement' && others.length === 0 ? preparation.referenceOf(only) : undefined;
  return { render: preparation.body(tree), ...(reference && { reference }) };
}

/** Prepares the single reference or helper that `text` is, braces included. Throws a `SyntaxFault`. */
export function prepareMustache(text: string, dialect: Dialect): Value {
  const [only, ...others] = parseHandlebars(text).body;
  if (only?.type !== 'MustacheStatement' || others.length > 0)
    throw new SyntaxFault('is not one reference or helper', 0);
  const value = new Preparation(text, dialect, true).call(only);
  return (scope) => unwrapped(value(scope));
}

/** Parameters of the blocks around a part of a template, the innermost first. */
type Names = readonly (readonly string[])[];

/** Turns the tree of a template into functions of a scope. */
class Preparation {
  constructor(
    private readonly source: string,
    private readonly dialect: Dialect,
    private readonly escapes: boolean,
    private readonly names: Names = [],
  ) {}

  body(program: Tree.Program | undefined): Text {
    const parts = (program?.body ?? []).flatMap((statement) => this.statement(statement) ?? []);
    if (parts.length === 0) return NOTHING;
    if (parts.length === 1) return parts[0]!;
    return (scope) => {
      let text = '';
      for (const part of parts) text += part(scope);
      return text;
    };
  }

  private statement(node: Tree.Statement): Text | undefined {
    switch (node.type) {
      case 'ContentStatement': {
        const { value } = node;
        return value === '' ? undefined : () => written(value);
      }
      case 'MustacheStatement':
        return this.mustache(node);
      case 'BlockStatement':
        return this.block(node);
      case 'CommentStatement':
        return undefined;
      case 'PartialStatement':
      case 'PartialBlockStatement':
        return this.fail(node, 'cannot contain partials');
      default:
        return this.fail(node, 'cannot contain decorators');
    }
  }

  private mustache(node: Tree.Mustache): Text {
    const value = this.call(node);
    const escapes = this.escapes && node.escaped;
    return (scope) => {
      const result = value(scope);
      if (result instanceof SafeText) return written(result.text);
      return written(escapes ? escaped(printed(result)) : printed(result));
    };
  }

  /** Returns the reference that a mustache is, or `undefined` if it calls a helper. */
  referenceOf(node: Tree.Mustache): Value | undefined {
    return this.isCall(node) ? undefined : this.reference(node.path);
  }

  /** Returns the value of a mustache or subexpression, which may be a `SafeText`. */
  call(node: Tree.Call): Value {
    if (!this.isCall(node)) return this.reference(node.path);
    const name = this.simpleName(node.path);
    const helper = name === undefined ? undefined : this.dialect.helpers.get(name);
    if (!helper) return this.fail(node, `has ${shownName(node.path)}, which is not a helper`);
    const params = node.params.map((param) => this.value(param));
    const hash = (node.hash?.pairs ?? []).map(({ key, value }) => [key, this.value(value)] as const);
    return (scope) => {
      spend(1);
      const args = params.map((param) => param(scope));
      for (const arg of args) if (typeof arg === 'string') spendText(arg);
      const named = new Map(hash.map(([key, value]) => [key, value(scope)]));
      const result = helper(args, { hash: named, scope });
      const text = result instanceof SafeText ? result.text : result;
      if (typeof text === 'string') spendText(text);
      return result;
    };
  }

  private isCall(node: Tree.Call): boolean {
    if (node.type === 'SubExpression' || node.params.length > 0 || (node.hash?.pairs.length ?? 0) > 0)
      return true;
    const name = this.simpleName(node.path);
    return name !== undefined && this.dialect.bare.has(name);
  }

  /** Returns the value of an argument, never a `SafeText`. */
  private value(node: Tree.Expression): Value {
    if (node.type === 'SubExpression') {
      const value = this.call(node);
      return (scope) => unwrapped(value(scope));
    }
    if (!isLiteral(node)) return this.reference(node);
    const { value } = node;
    return () => value;
  }

  private block(node: Tree.Block): Text {
    const name = this.simpleName(node.path);
    const locals = node.program?.blockParams ?? [];
    const body = this.within(locals).body(node.program);
    const otherwise = this.body(node.inverse);
    const builtIn = name === undefined ? undefined : BLOCKS.get(name);
    if (builtIn) {
      if (node.params.length !== 1) this.fail(node, `must pass one argument to ${name}`);
      const includeZero = node.hash?.pairs.find(({ key }) => key === 'includeZero');
      return builtIn({
        value: this.value(node.params[0]!),
        body,
        otherwise,
        hasLocals: locals.length > 0,
        includesZero: includeZero ? this.value(includeZero.value) : () => false,
      });
    }
    if (!this.isCall(node)) return section(this.reference(node.path), body, otherwise, locals.length > 0);
    const condition = this.call(node);
    return (scope) => (isEmpty(unwrapped(condition(scope))) ? otherwise(scope) : body(scope));
  }

  private within(locals: readonly string[]): Preparation {
    if (locals.length === 0) return this;
    return new Preparation(this.source, this.dialect, this.escapes, [locals, ...this.names]);
  }

  /** Returns a name that may be one of a helper: a single one that is no parameter of a block. */
  private simpleName(node: Tree.Expression): string | undefined {
    const path = asPath(node);
    const [name] = path.parts;
    const isSimple = path.parts.length === 1 && path.depth === 0 && !path.data && !isScoped(path);
    if (!isSimple || typeof name !== 'string') return undefined;
    return this.names.some((names) => names.includes(name)) ? undefined : name;
  }

  private reference(node: Tree.Expression): Value {
    const path = asPath(node);
    if (!path.parts.every((part) => typeof part === 'string'))
      return this.fail(node, 'cannot contain paths that begin with a subexpression');
    const parts = path.parts;
    const { depth } = path;
    if (path.data) return dataReference(parts, depth);
    if (depth > 0) return (scope) => outerValue(scope, parts, depth);
    const up = isScoped(path) ? -1 : this.names.findIndex((names) => names.includes(parts[0]!));
    if (up >= 0) return localReference(up, this.names[up]!.indexOf(parts[0]!), parts.slice(1));
    return (scope) => {
      spend(1);
      return valueAt(parts, scope.context);
    };
  }

  private fail(node: Pick<Tree.Expression | Tree.Statement, 'loc'>, reason: string): never {
    throw new SyntaxFault(reason, indexOf(this.source, node.loc.start.line, node.loc.start.column));
  }
}

const unwrapped = (value: unknown): unknown => (value instanceof SafeText ? value.text : value);

const isLiteral = (node: Tree.Expression): node is Tree.Literal =>
  node.type.endsWith('Literal') && node.type !== 'ArrayLiteral' && node.type !== 'HashLiteral';

type PathParts = Pick<Tree.PathExpression, 'parts' | 'depth' | 'data' | 'original'>;

/** Returns a path, or a literal in place of one: `{{"a name"}}`, `{{12}}`. Others are a path that no template can have. */
function asPath(node: Tree.Expression): PathParts {
  if (node.type === 'PathExpression') return node;
  if (!isLiteral(node)) return { parts: [node], depth: 0, data: false, original: '' };
  const name = String(node.value);
  return { parts: [name], depth: 0, data: false, original: name };
}

const shownName = (node: Tree.Expression): string => asPath(node).original || 'a subexpression';

/** Returns whether a path begins at `this`, so that its first name is no helper and no parameter of a block. */
const isScoped = (path: PathParts): boolean => /^(\.|this(?![^./]))/.test(path.original);

function outerValue(scope: Scope, parts: Path, depth: number): unknown {
  spend(1);
  let at: Scope | undefined = scope;
  for (let i = 0; i < depth && at; i++) at = at.outer;
  return at && valueAt(parts, at.context);
}

function localReference(up: number, index: number, parts: Path): Value {
  return (scope) => {
    spend(1);
    let { locals } = scope;
    for (let i = 0; i < up; i++) locals = locals?.outer;
    return valueAt(parts, locals?.values[index]);
  };
}

function dataReference([name, ...parts]: Path, depth: number): Value {
  return (scope) => {
    spend(1);
    let data: Data | undefined = scope.data;
    for (let i = 0; i < depth && data; i++) data = data.outer;
    if (!data || name === undefined || !Object.hasOwn(data.values, name)) return undefined;
    return valueAt(parts, data.values[name as keyof DataValues]);
  };
}

interface BlockParts {
  readonly value: Value;
  readonly body: Text;
  readonly otherwise: Text;
  readonly hasLocals: boolean;
  readonly includesZero: Value;
}

/** Blocks of Handlebars itself. */
const BLOCKS: ReadonlyMap<string, (parts: BlockParts) => Text> = new Map([
  ['if', ({ body, otherwise, ...parts }: BlockParts) => choice(parts, body, otherwise)],
  ['unless', ({ body, otherwise, ...parts }: BlockParts) => choice(parts, otherwise, body)],
  ['each', each],
  ['with', withBlock],
]);

function choice(
  { value, includesZero }: Pick<BlockParts, 'value' | 'includesZero'>,
  then: Text,
  otherwise: Text,
): Text {
  return (scope) => {
    const condition = value(scope);
    const isTrue = condition === 0 ? Boolean(includesZero(scope)) : !isEmpty(condition);
    return isTrue ? then(scope) : otherwise(scope);
  };
}

function withBlock({ value, body, otherwise, hasLocals }: BlockParts): Text {
  return (scope) => {
    const context = value(scope);
    if (context !== 0 && isEmpty(context)) return otherwise(scope);
    const locals = hasLocals ? { values: [context], outer: scope.locals } : scope.locals;
    return body(scope.inner(context, scope.data, locals));
  };
}

function each({ value, body, otherwise, hasLocals }: BlockParts): Text {
  return (scope) => eachOf(value(scope), scope, body, otherwise, hasLocals);
}

function eachOf(list: unknown, scope: Scope, body: Text, otherwise: Text, hasLocals: boolean): string {
  const keys = keysOf(list);
  if (keys.length === 0) return otherwise(scope);
  // Items of lists have their own indexes, also if others are missing.
  const end = Array.isArray(list) ? list.length : keys.length;
  let text = '';
  for (const [position, key] of keys.entries()) {
    const item = (list as Record<number | string, unknown>)[key];
    const index = typeof key === 'number' ? key : position;
    const values = {
      root: scope.data.values.root,
      index,
      key,
      first: index === 0,
      last: index === end - 1,
    };
    const locals = hasLocals ? { values: [item, key], outer: scope.locals } : scope.locals;
    text += body(scope.inner(item, { values, outer: scope.data }, locals));
  }
  return text;
}

function keysOf(list: unknown): readonly (number | string)[] {
  if (typeof list !== 'object' || list === null) return [];
  if (Array.isArray(list)) spend(list.length);
  const keys = Array.isArray(list) ? [...list.keys()].filter((index) => index in list) : Object.keys(list);
  spend(keys.length);
  return keys;
}

/** `{{#x}}…{{/x}}`: renders its body for each item of a list, for an object with it as `this`, and for other values once. */
function section(value: Value, body: Text, otherwise: Text, hasLocals: boolean): Text {
  return (scope) => {
    const context = value(scope);
    if (context === true)
      return body(hasLocals ? scope.inner(scope.context, scope.data, none(scope)) : scope);
    if (context === false || context === null || context === undefined) return otherwise(scope);
    if (Array.isArray(context)) return eachOf(context, scope, body, otherwise, hasLocals);
    const locals = hasLocals ? { values: [context], outer: scope.locals } : scope.locals;
    return body(scope.inner(context, scope.data, locals));
  };
}

const none = (scope: Scope) => ({ values: [], outer: scope.locals });
