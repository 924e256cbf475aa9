import { ID_EXAMPLE, type JsonSchema, NAME_PATTERN } from '../../platform/fields/fields.js';
import { SECRETS_FROM } from '../../platform/responses/shape.js';
import { TRIGGER_TYPES } from '../triggers/trigger-types.js';

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
/** Of any form: whoever only reads is not shown what in it names a secret. */
const free = (description: string, example: object) => ({
  type: 'object',
  [SECRETS_FROM]: 'collaborate',
  description: `${description} To those who only read, text that names a secret is \`[redacted]\`.`,
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
  description: 'For each output, the ids of the nodes that it leads to.',
  example: [['log']],
};

/** The triggers of a workflow. */
export const TRIGGERS: JsonSchema = {
  type: 'array',
  items: {
    title: 'FlowTrigger',
    type: 'object',
    additionalProperties: false,
    required: ['type'],
    description:
      'What starts a run of the workflow. Which types a workflow may have depends on its class; which members `config` and ' +
      '`meta` may have depends on the type, and the message of a refusal names the one at fault.',
    properties: {
      type: { type: 'string', enum: Object.keys(TRIGGER_TYPES), description: 'What it listens to.' },
      key: text(
        'What precisely it listens to: for `webhook`, `endpoint`, `integration`, `dataTable`, `notebook`, `deviceId` and its ' +
          'kin, and those of resource jobs an id; for `deviceTag` and its kin `key/value`; for `event` a level or `any`; for ' +
          '`mqttTopic` a topic; for `direct` an id of your choice. Types that need none get one when they are saved.',
        ID_EXAMPLE,
        1024,
      ),
      config: free('How it listens.', { seconds: 60 }),
      meta: free('How an editor shows it; for `virtualButton` also its `payload`, a JSON object as text.', {
        category: 'trigger',
        name: 'timer',
        label: 'Every minute',
        x: 60,
        y: 60,
      }),
      outputIds: OUTPUT_IDS,
    },
  },
};

/** The nodes of a workflow. */
export const NODES: JsonSchema = {
  type: 'array',
  items: {
    title: 'FlowNode',
    type: 'object',
    additionalProperties: false,
    required: ['type'],
    description: 'One step of the workflow.',
    properties: {
      id: text('Its id, by which outputs lead to it; unique in the workflow.', 'log', 1024),
      type: text(
        'What it does. Cloud workflows take types that the server does not know.',
        'DebugNode',
        1024,
        1,
      ),
      config: free(
        'How it does so; nested 32 deep at most. In embedded workflows the type says which members it has, and the message ' +
          'of a refusal names the one at fault; other members are kept.',
        { message: 'Still there' },
      ),
      meta: free(
        'How an editor shows it; `groupId`, the id of a `LoopNode`, where it stands inside that loop.',
        { category: 'debug', name: 'debug', label: 'Log', x: 60, y: 160 },
      ),
      outputIds: OUTPUT_IDS,
    },
  },
};

/** The globals of a workflow. */
export const FLOW_GLOBALS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'FlowGlobal',
    type: 'object',
    [SECRETS_FROM]: 'collaborate',
    additionalProperties: false,
    required: ['key', 'json'],
    description:
      "A value that the workflow's nodes can read; it hides the application's of that key. Where the key names a secret, those who only read are shown `[redacted]`.",
    properties: {
      key: { type: 'string', pattern: NAME_PATTERN, description: 'Its name, given once.', example: 'limit' },
      json: text('Its value: a JSON document as text.', '42', 32_767, 1),
    },
  },
};

/** One form that a field of a custom node may have. */
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
      type: { type: 'string', enum: [type], description: 'The kind of field.' },
      id: text('The member of `data` that its value arrives in.', 'limit', 1024, 1),
      label: text('What its user is asked.', 'Limit', 1024, 1),
      description: text('Help for its user.', 'In degrees Celsius', 32_767),
      ...properties,
    },
  };
}

const REQUIRED = flag('Whether a workflow that uses the node must give it.');

const FIELDS: readonly JsonSchema[] = [
  fieldForm('CustomNodeCheckbox', 'checkbox', 'A field that is true or false.', {
    defaultValue: flag('Its value before anybody sets it.'),
  }),
  fieldForm(
    'CustomNodeSelect',
    'select',
    'A field with one of some values.',
    {
      defaultValue: text('The value that is chosen before anybody chooses.', 'celsius', 1024, 1),
      options: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        description: 'What there is to choose from.',
        items: {
          title: 'CustomNodeSelectOption',
          type: 'object',
          additionalProperties: false,
          required: ['value'],
          description: 'One value to choose.',
          properties: {
            value: text('The value.', 'celsius', 1024, 1),
            label: text('What its user sees in place of it.', 'Celsius', 1024),
          },
        },
      },
    },
    ['defaultValue', 'options'],
  ),
  fieldForm('CustomNodeString', 'stringTemplate', 'A field with text, which may be a template.', {
    defaultValue: text('Its value before anybody sets it.', 'north', 1024),
    required: REQUIRED,
    validRegExp: text('A regular expression that its value matches.', '^[a-z]+$', 1024),
  }),
  fieldForm('CustomNodeNumber', 'numberTemplate', 'A field with a number, or a template for one.', {
    defaultValue: { type: 'number', description: 'Its value before anybody sets it.', example: 20 },
    required: REQUIRED,
    validMin: { type: 'number', description: 'Its least value.', example: 0 },
    validMax: { type: 'number', description: 'Its greatest value.', example: 100 },
  }),
  fieldForm('CustomNodeJson', 'jsonTemplate', 'A field with JSON, or a template for it.', {
    defaultValue: text('Its value before anybody sets it.', '{}', 32_767),
    required: REQUIRED,
  }),
  fieldForm('CustomNodePath', 'payloadPath', 'A field with a path into the payload.', {
    required: REQUIRED,
  }),
  fieldForm('CustomNodeSection', 'section', 'A heading among the fields; it has no value.'),
];

/** What a custom node looks like to the workflows that use it. */
export const CUSTOM_NODE_CONFIG: JsonSchema = {
  title: 'CustomNodeConfig',
  type: 'object',
  additionalProperties: false,
  required: ['outputCount', 'resultMode', 'fields'],
  description: 'What a custom node takes and gives: its fields, its outputs and its result.',
  properties: {
    outputCount: {
      type: 'number',
      enum: [1, 2],
      description: 'One output, or two: false first, then true.',
    },
    resultMode: {
      type: 'string',
      enum: ['optional', 'required', 'none'],
      description: 'Whether a workflow that uses the node may, must or cannot take a result.',
    },
    resultDescription: text('What the result is.', 'The mean of all values', 32_767),
    fields: {
      type: 'array',
      maxItems: 100,
      items: { oneOf: FIELDS },
      description: 'What a workflow that uses the node is asked; each id once.',
    },
  },
};

/** Where a custom node can be used. */
export const CUSTOM_NODE_SUPPORTS: JsonSchema = {
  type: 'array',
  maxItems: 1,
  items: { type: 'string', enum: ['cloud', 'edge'] },
};

/** The parts of the palette that custom nodes stand in. */
export const CATEGORIES = ['data', 'experience', 'logic', 'output', 'debug'] as const;
/** One of them; empty text for none. */
export const CATEGORY: JsonSchema = {
  anyOf: [
    { type: 'string', enum: CATEGORIES },
    { type: 'string', maxLength: 0 },
  ],
};

export const ICON_DATA: JsonSchema = { type: 'string', maxLength: 32_767, pattern: ICON_DATA_PATTERN };
