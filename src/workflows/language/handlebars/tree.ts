/** The tree that the parser of Handlebars returns, as far as templates use it. Its own types cannot be resolved. */
interface Node<T extends string> {
  readonly type: T;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
}

export interface Program extends Node<'Program'> {
  readonly body: readonly Statement[];
  readonly blockParams?: readonly string[];
}

export type Statement =
  Mustache | Block | Content | Node<'CommentStatement'> | PartialCall | Node<'Decorator'> | Decorator;

/** `{{> name}}`, or with a body `{{#> name}}…{{/name}}`. */
export interface PartialCall extends Node<'PartialStatement' | 'PartialBlockStatement'> {
  readonly name: Expression;
  readonly params: readonly Expression[];
  readonly hash?: Hash;
  /** Space before a call that is alone in its line. */
  readonly indent?: string;
  readonly program?: Program;
}

/** `{{#*inline "name"}}…{{/inline}}`. */
export interface Decorator extends Node<'DecoratorBlock'>, Called {
  readonly program: Program;
}

interface Content extends Node<'ContentStatement'> {
  readonly value: string;
}

/** A call of a helper or block, or a reference if it has no arguments. */
interface Called {
  readonly path: Expression;
  readonly params: readonly Expression[];
  readonly hash?: Hash;
}

export interface Mustache extends Node<'MustacheStatement'>, Called {
  /** Whether it is written with two braces. */
  readonly escaped: boolean;
}

export interface Block extends Node<'BlockStatement'>, Called {
  /** Without one if the block is inverted: `{{^x}}`. */
  readonly program?: Program;
  readonly inverse?: Program;
}

export interface SubExpression extends Node<'SubExpression'>, Called {}

interface Hash {
  readonly pairs: readonly { readonly key: string; readonly value: Expression }[];
}

export interface PathExpression extends Node<'PathExpression'> {
  /** Whether it begins with `@`. */
  readonly data: boolean;
  /** Number of `../`. */
  readonly depth: number;
  readonly parts: readonly (string | Expression)[];
  readonly original: string;
}

export interface Literal extends Node<
  'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral' | 'UndefinedLiteral' | 'NullLiteral'
> {
  readonly value: unknown;
}

export type Expression = PathExpression | SubExpression | Literal | Node<'ArrayLiteral' | 'HashLiteral'>;

export type Call = Mustache | Block | SubExpression;
