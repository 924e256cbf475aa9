import { isEmpty, printed, valueAt } from '../evaluate.js';
import type { Path } from '../paths.js';
import { SyntaxFault } from '../syntax-fault.js';
import { BLOCKS, section } from './blocks.js';
import { spend, spendOutput, spendText, written } from './budget.js';
import type { Call, Dialect } from './dialect.js';
import { indexOf, parseHandlebars } from './parse.js';
import { partialCall, withInlinePartials, type PreparedPartial } from './partials.js';
import { escaped, RenderedText, SafeText } from './safe-text.js';
import { DATA_NAMES, type Data, type Scope, type Text, type Value } from './scope.js';
import type * as Tree from './tree.js';

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
  const tree = parseHandlebars(text, dialect);
  const preparation = new Preparation(text, dialect, escapes);
  const [only, ...others] = tree.body;
  const reference =
    only?.type === 'MustacheStatement' && others.length === 0 ? preparation.referenceOf(only) : undefined;
  return { render: preparation.body(tree), ...(reference && { reference }) };
}

/** Prepares the single reference or helper that `text` is, braces included. Throws a `SyntaxFault`. */
export function prepareMustache(text: string, dialect: Dialect): Value {
  const [only, ...others] = parseHandlebars(text, dialect).body;
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
    const statements = program?.body ?? [];
    const partials = statements.flatMap((statement) =>
      statement.type === 'DecoratorBlock' ? [this.inlinePartial(statement)] : [],
    );
    const text = this.textOf(statements);
    return partials.length > 0 ? withInlinePartials(partials, text) : text;
  }

  private textOf(statements: readonly Tree.Statement[]): Text {
    const parts = statements.flatMap((statement) => this.statement(statement) ?? []);
    if (parts.length === 0) return NOTHING;
    const [only] = parts;
    if (parts.length === 1 && typeof only === 'function') return only;
    // Fixed texts are counted together.
    const fixed = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
    return (scope) => {
      spendOutput(fixed);
      let text = '';
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i]!;
        text += typeof part === 'string' ? part : part(scope);
      }
      return text;
    };
  }

  /** Returns a fixed text, or one that depends on the scope. */
  private statement(node: Tree.Statement): string | Text | undefined {
    switch (node.type) {
      case 'ContentStatement':
        return node.value || undefined;
      case 'MustacheStatement':
        return this.mustache(node);
      case 'BlockStatement':
        return this.block(node);
      case 'CommentStatement':
        return undefined;
      case 'PartialStatement':
      case 'PartialBlockStatement':
        return this.partial(node);
      case 'DecoratorBlock':
        return undefined;
      case 'Decorator':
        return this.fail(node, 'cannot contain decorators');
    }
  }

  private inlinePartial(node: Tree.Decorator): PreparedPartial {
    const [name] = node.params;
    if (!this.dialect.hasPartials || asPath(node.path).original !== 'inline')
      return this.fail(node, 'cannot contain decorators');
    if (name?.type !== 'StringLiteral') return this.fail(node, 'must name an inline partial with a text');
    return { name: String(name.value), body: this.body(node.program) };
  }

  private partial(node: Tree.PartialCall): Text {
    if (!this.dialect.hasPartials) return this.fail(node, 'cannot contain partials');
    const { original } = asPath(node.name);
    return partialCall({
      name: node.name.type === 'SubExpression' ? this.value(node.name) : () => original,
      context: node.params[0] && this.value(node.params[0]),
      hash: this.hashOf(node.hash),
      indent: node.indent ?? '',
      block: node.program && this.body(node.program),
    });
  }

  private mustache(node: Tree.Mustache): Text {
    const value = this.call(node);
    const escapes = this.escapes && node.escaped;
    return (scope) => {
      const result = value(scope);
      if (typeof result === 'string') return written(escapes ? escaped(result) : result);
      if (result instanceof RenderedText) return result.text;
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
    const read = this.argumentsOf(node);
    return (scope) => {
      const { args, call } = read(scope);
      const result = helper(args, call);
      const text = result instanceof SafeText ? result.text : result;
      if (typeof text === 'string') spendText(text);
      return result;
    };
  }

  /** Returns the arguments of a call, with its named ones and its scope. */
  private argumentsOf(node: Tree.Call): (scope: Scope) => { args: readonly unknown[]; call: Call } {
    const params = node.params.map((param) => this.value(param));
    const hash = this.hashOf(node.hash);
    return (scope) => {
      spend(1);
      const args = params.map((param) => param(scope));
      for (const arg of args) if (typeof arg === 'string') spendText(arg);
      return { args, call: { hash: new Map(hash.map(([key, value]) => [key, value(scope)])), scope } };
    };
  }

  private hashOf(hash: Tree.Call['hash']): readonly (readonly [string, Value])[] {
    return (hash?.pairs ?? []).map(({ key, value }) => [key, this.value(value)] as const);
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
    const own = name === undefined ? undefined : this.dialect.blocks?.get(name);
    if (own) {
      const read = this.argumentsOf(node);
      return (scope) => {
        const { args, call } = read(scope);
        return own(
          args,
          call,
          () => body(scope),
          () => otherwise(scope),
        );
      };
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
  const known = DATA_NAMES.find((one) => one === name);
  return (scope) => {
    spend(1);
    let data: Data | undefined = scope.data;
    for (let i = 0; i < depth && data; i++) data = data.outer;
    return data && known && valueAt(parts, data[known]);
  };
}
