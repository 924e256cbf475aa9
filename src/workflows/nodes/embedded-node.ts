import type { JsonSchema } from '../../platform/fields/fields.js';
import type { FlowNode } from '../graph/graph.js';

/** What the configuration of a type of node may be, in workflows that compile for devices. */
export interface EmbeddedNode<C extends object = object> {
  readonly type: string;
  /** The schema of its `config`. Members that it does not name are let through: exports of editors carry more than is read. */
  readonly schema: JsonSchema;
  /** Throws a `ConfigFault` for the first text of `config` that cannot be parsed, or that lacks what it needs; after the schema. */
  check(config: C, node: FlowNode): void;
}

/** Declares a type of node whose `config` is a `C`, which its schema must assure. */
export function embeddedNode<C extends object>(
  type: string,
  schema: JsonSchema,
  check: (config: C, node: FlowNode) => void = () => undefined,
): EmbeddedNode<C> {
  return { type, schema: { type: 'object', ...schema }, check };
}

/** A path into the payload, where one must be given. */
export const PATH: JsonSchema = { type: 'string', minLength: 1, maxLength: 1024 };
/** A path into the payload; empty text for none. */
export const OPTIONAL_PATH: JsonSchema = { type: 'string', maxLength: 1024 };
/** A template for text or JSON. */
export const TEMPLATE: JsonSchema = { type: 'string', maxLength: 32_767 };
/** An expression that is true or false. */
export const EXPRESSION: JsonSchema = { type: 'string', maxLength: 32_767 };
/** A number, or a template for one. */
export const NUMBER: JsonSchema = { anyOf: [{ ...TEMPLATE, minLength: 1 }, { type: 'number' }] };
export const FLAG: JsonSchema = { type: 'boolean' };

/** One of some words. */
export const choice = (...words: readonly string[]): JsonSchema => ({ type: 'string', enum: words });
