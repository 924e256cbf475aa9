import type { JsonSchema } from '../../platform/fields/fields.js';
import type { FlowNode } from '../graph/graph.js';

/** Configuration of a node type, as workflows for devices check it. */
export interface NodeConfig<C extends object = object> {
  /** Schema of `config`. Unknown properties are allowed, because exports of editors contain more than is read. */
  readonly schema: JsonSchema;
  /**
   * Throws a `ConfigFault` for the first text of `config` that cannot be parsed or lacks a required property. Runs
   * after the schema.
   */
  check(config: C, node: FlowNode): void;
}

/** Declares a `config` of type `C`. The schema must guarantee this type. */
export function nodeConfig<C extends object>(
  schema: JsonSchema,
  check: (config: C, node: FlowNode) => void = () => undefined,
): NodeConfig<C> {
  return { schema: { type: 'object', ...schema }, check };
}

/** Required path into the payload. */
export const PATH: JsonSchema = { type: 'string', minLength: 1, maxLength: 1024 };
/** Optional path into the payload; an empty string means not set. */
export const OPTIONAL_PATH: JsonSchema = { type: 'string', maxLength: 1024 };
/** Template of a text or JSON document. */
export const TEMPLATE: JsonSchema = { type: 'string', maxLength: 32_767 };
/** Boolean expression. */
export const EXPRESSION: JsonSchema = { type: 'string', maxLength: 32_767 };
/** Number, or template of a number. */
export const NUMBER: JsonSchema = { anyOf: [{ ...TEMPLATE, minLength: 1 }, { type: 'number' }] };
export const FLAG: JsonSchema = { type: 'boolean' };

/** Returns the schema of one of several words. */
export const choice = (...words: readonly string[]): JsonSchema => ({ type: 'string', enum: words });
