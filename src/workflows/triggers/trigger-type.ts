import type { JsonSchema } from '../../platform/fields/fields.js';
import type { CheckContext } from '../graph/class-rules.js';
import type { FlowClass, FlowTrigger } from '../graph/graph.js';

/** Types of resources that triggers refer to by key. */
export type KeyedResource =
  'dataTables' | 'devices' | 'endpoints' | 'integrations' | 'notebooks' | 'resourceJobs' | 'webhooks';

/** Rule for the key of a trigger type. */
export type KeyRule =
  /** ID of a resource. */
  | { readonly id: KeyedResource }
  /** Text that must be given, of some form. */
  | { readonly pattern: RegExp; readonly form: string }
  /** Always the same. */
  | { readonly fixed: string }
  /** Made when none is given. */
  | { readonly fill: () => string };

/** JSON Schemas of properties by name. */
export type Properties = Readonly<Record<string, JsonSchema>>;

/** Rules of a trigger type. */
export interface TriggerType {
  /** Classes of workflows that can contain it. */
  readonly classes: readonly FlowClass[];
  /** Allowed values of `meta.name`. */
  readonly names: readonly string[];
  readonly key: KeyRule;
  readonly config?: Properties;
  /** Required properties of `config`. */
  readonly required?: readonly string[];
  /** Additional properties of `meta`. */
  readonly meta?: Properties;
  /** Returns the error of a trigger that its workflow cannot contain, or `undefined`. Runs after the schemas. */
  check?(trigger: FlowTrigger, context: CheckContext): string | undefined;
  /** Its execution on devices. Required for the class `embedded`. */
  readonly embedded?: EmbeddedTrigger;
}

/** How devices execute a trigger type. */
export interface EmbeddedTrigger {
  /** Number of the type in `embedded/runtime/triggers.ts`. */
  readonly kind: number;
  /** Key on devices, if not the key of the trigger. */
  readonly key?: string;
  /** Whether `config.seconds` is the period at which it starts runs. */
  readonly isPeriodic?: true;
}

export const flag: JsonSchema = { type: 'boolean' };
export const number: JsonSchema = { type: 'number' };
export const seconds: JsonSchema = { type: 'number', exclusiveMinimum: 0 };
export const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
export const choice = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });
export const list = (maxItems: number, items: JsonSchema, minItems = 0): JsonSchema => ({
  type: 'array',
  minItems,
  maxItems,
  items,
});
export const flags = (...names: readonly string[]): Properties =>
  Object.fromEntries(names.map((name) => [name, flag]));
