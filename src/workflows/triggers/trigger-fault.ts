import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { JsonSchema } from '../../platform/fields/fields.js';
import { describeFault } from '../../lib/json/schema-faults.js';
import { invalidError, type CheckContext } from '../graph/class-rules.js';
import { isId, type FlowTrigger } from '../graph/graph.js';
import { choice, number, text, type Properties, type TriggerType } from './trigger-type.js';
import { triggerType } from './trigger-types.js';

/** Returns the first error of a trigger in a workflow, without its outputs, or `undefined`. */
export function faultOfTrigger(trigger: FlowTrigger, context: CheckContext): string | undefined {
  const { type } = trigger;
  const known = triggerType(type);
  if (!known) return `${type} is not a type of trigger.`;
  if (!known.classes.includes(context.flowClass)) return invalidError(type, context.rules);
  return faultOfKey(trigger, known) ?? faultOfParts(trigger, known) ?? known.check?.(trigger, context);
}

function faultOfKey({ type, key }: FlowTrigger, { key: rule }: TriggerType): string | undefined {
  if ('id' in rule && !isId(key)) return `the key of ${type} must be an ID of 24 hexadecimal digits`;
  if ('pattern' in rule && !rule.pattern.test(key ?? '')) return `the key of ${type} must be ${rule.form}`;
  return undefined;
}

function faultOfParts(trigger: FlowTrigger, known: TriggerType): string | undefined {
  const validate = validatorsOf(trigger.type, known);
  for (const part of ['config', 'meta'] as const) {
    const value = trigger[part];
    if (value !== undefined && !validate[part](value)) return describeFault(part, validate[part].errors![0]!);
  }
  return undefined;
}

interface Validators {
  config: ValidateFunction;
  meta: ValidateFunction;
}

const ajv = new Ajv();
(addFormatsModule as unknown as (ajv: Ajv) => void)(ajv);
const validators = new Map<string, Validators>();

/** Returns the validators of a type, compiled on first use. */
function validatorsOf(name: string, type: TriggerType): Validators {
  let found = validators.get(name);
  if (!found) {
    found = { config: ajv.compile(configSchema(type)), meta: ajv.compile(metaSchema(type)) };
    validators.set(name, found);
  }
  return found;
}

/** Properties of the `meta` of every trigger: display properties for editors. */
const META: Properties = {
  category: choice('trigger'),
  color: text(1024),
  description: text(32_767),
  icon: text(1024),
  id: text(48),
  inputCount: number,
  label: { type: 'string', minLength: 1, maxLength: 255 },
  outputCount: number,
  uiId: text(48),
  x: number,
  y: number,
};

function configSchema({ config = {}, required = [] }: TriggerType): JsonSchema {
  return { type: 'object', additionalProperties: false, properties: config, required };
}

function metaSchema({ names, meta = {} }: TriggerType): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: { ...META, ...meta, name: choice(...names) },
  };
}
