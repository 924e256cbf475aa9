import { ID_EXAMPLE, type JsonSchema, NAME_PATTERN } from '../../platform/fields/fields.js';
import { MIN_SECRETS_ROLE } from '../../platform/responses/shape.js';
import { TRIGGER_TYPES } from '../triggers/trigger-types.js';
import { unsampled } from '../../platform/fields/schema.js';

export const ICON_DATA_PATTERN = '^data:image/(jpg|jpeg|png|svg\\+xml);base64,[0-9a-zA-Z+/=]*$';
export const MINIMUM_AGENT_VERSION_PATTERN = '^(0|([1-9]\\d*))\\.(0|([1-9]\\d*))\\.(0|([1-9]\\d*))$';

const flag = (description: string) => ({ type: 'boolean', description });
const text = (description: string, example: string, maxLength: number, minLength?: number) => ({
  type: 'string',
  ...(minLength ? { minLength } : {}),
  maxLength,
  description,
  example,
});
/** Object with arbitrary properties. Values that refer to secrets are redacted for callers with read access only. */
const free = (description: string, example: object) => ({
  type: 'object',
  [MIN_SECRETS_ROLE]: 'collaborate',
  description: `${description} For callers with read access only, text that refers to a secret is replaced with \`[redacted]\`.`,
  example,
});

const OUTPUT_IDS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'array',
    maxItems: 100,
    items: { type: 'string', minLength: 1, maxLength: 48 },
  },
  description: 'IDs of the next nodes, one array per output.',
  example: [['log']],
};

/** Schema of the triggers of a workflow. */
export const TRIGGERS: JsonSchema = {
  type: 'array',
  items: {
    title: 'FlowTrigger',
    type: 'object',
    additionalProperties: false,
    required: ['type'],
    description:
      'A trigger that starts a run of the workflow. The class of the workflow determines its types of triggers. `config` and `meta` have type- ' +
      'specific properties; errors name the invalid property.',
    properties: {
      type: {
        type: 'string',
        enum: Object.keys(TRIGGER_TYPES),
        description: 'Type of the trigger.',
        example: 'timer',
      },
      key: unsampled(
        text(
          'Resource or source that the trigger listens to. ' +
            'An ID for `webhook`, `endpoint`, `integration`, `dataTable`, `notebook`, `deviceId` and its variants, and resource-job triggers. ' +
            '`key/value` for `deviceTag` and its variants, a level or `any` for `event`, and a topic for `mqttTopic`. ' +
            'A user-defined ID for `direct`. Generated for types that do not need one.',
          ID_EXAMPLE,
          1024,
        ),
      ),
      config: free('Options of the trigger, which depend on its type.', { seconds: 60 }),
      meta: free(
        'Display properties for editors. For `virtualButton`, also its `payload`, a JSON object as text.',
        {
          category: 'trigger',
          name: 'timer',
          label: 'Every minute',
          x: 60,
          y: 60,
        },
      ),
      outputIds: OUTPUT_IDS,
    },
  },
};

/** Schema of the nodes of a workflow. */
export const NODES: JsonSchema = {
  type: 'array',
  items: {
    title: 'FlowNode',
    type: 'object',
    additionalProperties: false,
    required: ['type'],
    description: 'A step of the workflow.',
    properties: {
      id: text('ID of the node, unique within the workflow. Outputs refer to it.', 'log', 1024),
      type: text('Type of the node. Cloud workflows also accept unknown types.', 'DebugNode', 1024, 1),
      config: free(
        'Options of the node, nested up to 32 levels deep. The properties of known types are checked, and errors ' +
          'name the invalid property; unknown properties are kept. In embedded workflows, options must be complete. ' +
          'In other workflows, an absent required option fails the run.',
        { message: 'Still there' },
      ),
      meta: free(
        'Display properties for editors. `groupId` is the ID of the `LoopNode` that contains the node, if any.',
        { category: 'debug', name: 'debug', label: 'Log', x: 60, y: 160 },
      ),
      outputIds: OUTPUT_IDS,
    },
  },
};

/** Schema of the globals of a workflow. */
export const FLOW_GLOBALS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'FlowGlobal',
    type: 'object',
    [MIN_SECRETS_ROLE]: 'collaborate',
    additionalProperties: false,
    required: ['key', 'json'],
    description:
      "A constant that the workflow's nodes can read. Overrides a global of the application with the same key. If the key refers to a secret, callers with read access only receive `[redacted]`.",
    properties: {
      key: {
        type: 'string',
        pattern: NAME_PATTERN,
        description: 'Name of the global, unique within the workflow.',
        example: 'limit',
      },
      json: text('Value of the global: a JSON document as text.', '42', 32_767, 1),
    },
  },
};

/** Returns the schema of one type of custom node field. */
function fieldForm(
  title: string,
  type: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>> = {},
  required: readonly string[] = [],
): JsonSchema {
  return {
    title,
    type: 'object',
    additionalProperties: false,
    required: ['type', 'label', ...required],
    description,
    properties: {
      type: { type: 'string', enum: [type], description: 'Type of the field.' },
      id: text('Property of `data` that contains the value of the field.', 'limit', 1024, 1),
      label: text('Label of the field.', 'Limit', 1024, 1),
      description: text('Help text of the field.', 'In degrees Celsius', 32_767),
      ...properties,
    },
  };
}

const REQUIRED = flag('Whether workflows that use the node must set the field.');

const FIELDS: readonly JsonSchema[] = [
  fieldForm('CustomNodeCheckbox', 'checkbox', 'A Boolean field.', {
    defaultValue: flag('Default value of the field.'),
  }),
  fieldForm(
    'CustomNodeSelect',
    'select',
    'A field with a choice of values.',
    {
      defaultValue: text('Value that is selected by default.', 'celsius', 1024, 1),
      options: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        description: 'Values to choose from.',
        items: {
          title: 'CustomNodeSelectOption',
          type: 'object',
          additionalProperties: false,
          required: ['value'],
          description: 'A value to choose from.',
          properties: {
            value: text('Value of the field if this option is selected.', 'celsius', 1024, 1),
            label: text('Text to display instead of the value.', 'Celsius', 1024),
          },
        },
      },
    },
    ['defaultValue', 'options'],
  ),
  fieldForm('CustomNodeString', 'stringTemplate', 'A text field, which accepts templates.', {
    defaultValue: text('Default value of the field.', 'north', 1024),
    required: REQUIRED,
    validRegExp: text('Regular expression that the value must match.', '^[a-z]+$', 1024),
  }),
  fieldForm('CustomNodeNumber', 'numberTemplate', 'A number field, which accepts templates.', {
    defaultValue: { type: 'number', description: 'Default value of the field.', example: 20 },
    required: REQUIRED,
    validMin: { type: 'number', description: 'Minimum value of the field.', example: 0 },
    validMax: { type: 'number', description: 'Maximum value of the field.', example: 100 },
  }),
  fieldForm('CustomNodeJson', 'jsonTemplate', 'A JSON field, which accepts templates.', {
    defaultValue: text('Default value of the field.', '{}', 32_767),
    required: REQUIRED,
  }),
  fieldForm('CustomNodePath', 'payloadPath', 'A field that contains a path into the payload.', {
    required: REQUIRED,
  }),
  fieldForm('CustomNodeSection', 'section', 'A heading between fields, without a value.'),
];

/** Schema of the interface of a custom node. */
export const CUSTOM_NODE_CONFIG: JsonSchema = {
  title: 'CustomNodeConfig',
  type: 'object',
  additionalProperties: false,
  required: ['outputCount', 'resultMode', 'fields'],
  description: 'Interface of a custom node: its fields, outputs and result.',
  properties: {
    outputCount: {
      type: 'number',
      enum: [1, 2],
      description: 'Number of outputs. With two outputs, the first is for `false` and the second for `true`.',
    },
    resultMode: {
      type: 'string',
      enum: ['optional', 'required', 'none'],
      description: 'Whether workflows that use the node can, must or cannot store its result.',
    },
    resultDescription: text('Description of the result, as free text.', 'The mean of all values', 32_767),
    fields: {
      type: 'array',
      maxItems: 100,
      items: { oneOf: FIELDS },
      description: 'Fields that workflows set when they use the node, with unique IDs.',
    },
  },
};

/** Schema of the class of workflows in which a custom node can run. */
export const CUSTOM_NODE_SUPPORTS: JsonSchema = {
  type: 'array',
  maxItems: 1,
  items: { type: 'string', enum: ['cloud', 'edge'] },
};

/** Sections of the palette for custom nodes. */
export const CATEGORIES = ['data', 'experience', 'logic', 'output', 'debug'] as const;
/** Schema of a section of the palette; an empty string means not set. */
export const CATEGORY: JsonSchema = {
  anyOf: [
    { type: 'string', enum: CATEGORIES },
    { type: 'string', maxLength: 0 },
  ],
};

export const ICON_DATA: JsonSchema = { type: 'string', maxLength: 32_767, pattern: ICON_DATA_PATTERN };
