import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

/** How grave an event is, from least to most: the order of the type in the database. */
export const EVENT_LEVELS = ['info', 'warning', 'error', 'critical'] as const;
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** How far an event has come; any may follow any. The order of the type in the database. */
export const EVENT_STATES = ['new', 'acknowledged', 'resolved'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** What made or changed an event. */
export const SOURCE_TYPES = ['flow', 'user', 'device', 'apiToken', 'experienceUser', 'public'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Who made or changed an event, as they were called then. */
export interface EventSource {
  sourceType: SourceType;
  sourceId: string;
  sourceName?: string;
}

interface Change<T> {
  old?: T;
  new?: T;
}

/** What became of an event at a time, as it is stored and answered. */
export interface EventUpdate extends EventSource {
  creationDate: string;
  comment?: string;
  data?: unknown;
  state?: EventState;
  stateChange?: Change<EventState>;
  levelChange?: Change<EventLevel>;
  subjectChange?: Change<string>;
  deviceIdChange?: Change<string> & { oldDeviceName?: string; newDeviceName?: string };
  tagsChange?: Record<string, Change<string>>;
}

/** How many updates of an event are kept. */
export const MOST_UPDATES = 100;
/** What data may take, as JSON. */
export const MOST_DATA_BYTES = 64 * 1024;
export const MOST_EVENT_TAGS = 100;

const TAG_VALUE = { type: 'string', minLength: 1, maxLength: 255, example: 'north' };
const NAME = { type: 'string', minLength: 1, maxLength: 255, example: 'Pump 3' };
const SUBJECT = { type: 'string', minLength: 1, maxLength: 255, example: 'Pressure too high' };
const COMMENT = { type: 'string', maxLength: 32767, example: 'A valve was shut' };
const ID = { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE };
const LEVEL = { type: 'string', enum: EVENT_LEVELS, example: 'warning' };
const STATE = { type: 'string', enum: EVENT_STATES, example: 'acknowledged' };

/** Tags of an event: a value for each key. */
export const EVENT_TAGS: JsonSchema = {
  type: 'object',
  additionalProperties: TAG_VALUE,
};

/** What is known of an event: whatever its maker says. */
export const EVENT_DATA: JsonSchema = { title: 'EventData', description: 'Any JSON.' };

/** What a value was and is; a part that is absent was or is none. */
const changeOf = (title: string, value: JsonSchema, description: string, more: JsonSchema = {}) => ({
  title,
  type: 'object',
  description,
  properties: {
    old: { ...value, description: 'What it was.' },
    new: { ...value, description: 'What it became.' },
    ...more,
  },
});

const UPDATE: JsonSchema = {
  title: 'EventUpdate',
  type: 'object',
  description: 'What became of an event at a time.',
  properties: {
    creationDate: {
      type: 'string',
      format: 'date-time',
      description: 'When that was.',
      example: '2026-06-13T04:00:00.000Z',
    },
    sourceType: { type: 'string', enum: SOURCE_TYPES, description: 'What changed it.', example: 'user' },
    sourceId: { ...ID, description: 'The id of what changed it.' },
    sourceName: { ...NAME, description: 'What that was called then.', example: 'ada@example.com' },
    comment: { ...COMMENT, description: 'What was said of it.' },
    data: { description: 'What was known of it, any JSON.', example: { pressure: 7 } },
    state: { ...STATE, description: 'The state that was asked for.' },
    stateChange: changeOf('EventStateChange', STATE, 'How its state changed.'),
    levelChange: changeOf('EventLevelChange', LEVEL, 'How its level changed.'),
    subjectChange: changeOf('EventSubjectChange', SUBJECT, 'How its subject changed.'),
    deviceIdChange: changeOf('EventDeviceChange', ID, 'How the device that it is about changed.', {
      oldDeviceName: { ...NAME, description: 'What the device was called.' },
      newDeviceName: { ...NAME, description: 'What the other one is called.' },
    }),
    tagsChange: {
      type: 'object',
      description: 'How its tags changed, by their keys.',
      additionalProperties: changeOf('EventTagChange', TAG_VALUE, 'How the value of a tag changed.'),
      example: { site: { old: 'north', new: 'south' } },
    },
  },
};

/** The updates of an event, the oldest first. */
export const UPDATES: JsonSchema = { type: 'array', maxItems: MOST_UPDATES, items: UPDATE };
