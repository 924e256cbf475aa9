import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { JSON_VALUE } from '../../../platform/fields/schema.js';

/** Event levels in ascending order of severity, which is also the order of the database type. */
export const EVENT_LEVELS = ['info', 'warning', 'error', 'critical'] as const;
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** Event states. Any state can follow any other. The order is that of the database type. */
export const EVENT_STATES = ['new', 'acknowledged', 'resolved'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Types of sources that create or change events. */
export const SOURCE_TYPES = ['flow', 'user', 'device', 'apiToken', 'experienceUser', 'public'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Source that created or changed an event, with its name at the time. */
export interface EventSource {
  sourceType: SourceType;
  sourceId: string;
  sourceName?: string;
}

interface Change<T> {
  old?: T;
  new?: T;
}

/** An update of an event, as stored and returned. */
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

/** Number of updates kept per event. */
export const MAX_UPDATES = 100;
/** Maximum size of event data as JSON, in bytes. */
export const MAX_DATA_BYTES = 64 * 1024;
export const MAX_EVENT_TAGS = 100;

const TAG_VALUE = { type: 'string', minLength: 1, maxLength: 255, example: 'north' };
const NAME = { type: 'string', minLength: 1, maxLength: 255, example: 'Pump 3' };
const SUBJECT = { type: 'string', minLength: 1, maxLength: 255, example: 'Pressure too high' };
const COMMENT = { type: 'string', maxLength: 32767, example: 'A valve was shut' };
const ID = { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE };
const LEVEL = { title: 'EventLevel', type: 'string', enum: EVENT_LEVELS, example: 'warning' };
const STATE = { title: 'EventState', type: 'string', enum: EVENT_STATES, example: 'acknowledged' };

/** Tags of an event: one value per key. */
export const EVENT_TAGS: JsonSchema = {
  type: 'object',
  additionalProperties: TAG_VALUE,
};

/** Old and new value of a property. A missing part means that there was or is no value. */
const changeOf = (title: string, value: JsonSchema, description: string, more: JsonSchema = {}) => ({
  title,
  type: 'object',
  description,
  properties: {
    old: { ...value, description: 'Value before the update.' },
    new: { ...value, description: 'Value after the update.' },
    ...more,
  },
});

const UPDATE: JsonSchema = {
  title: 'EventUpdate',
  type: 'object',
  description: 'An update of an event, with its author and changes.',
  properties: {
    creationDate: {
      type: 'string',
      format: 'date-time',
      description: 'Time of the update.',
      example: '2026-06-13T04:00:00.000Z',
    },
    sourceType: {
      type: 'string',
      enum: SOURCE_TYPES,
      description: 'Type of the source that made the update.',
      example: 'user',
    },
    sourceId: { ...ID, description: 'ID of the source that made the update.' },
    sourceName: {
      ...NAME,
      description: 'Name of the source at the time of the update.',
      example: 'ada@example.com',
    },
    comment: { ...COMMENT, description: 'Comment on the update.' },
    data: { allOf: [JSON_VALUE], description: 'Data of the update: any JSON.', example: { pressure: 7 } },
    state: { ...STATE, description: 'State in the update request.' },
    stateChange: changeOf('EventStateChange', STATE, 'Change of the state.'),
    levelChange: changeOf('EventLevelChange', LEVEL, 'Change of the level.'),
    subjectChange: changeOf('EventSubjectChange', SUBJECT, 'Change of the subject.'),
    deviceIdChange: changeOf('EventDeviceChange', ID, 'Change of the device that the event concerns.', {
      oldDeviceName: { ...NAME, description: 'Name of the previous device.' },
      newDeviceName: { ...NAME, description: 'Name of the new device.' },
    }),
    tagsChange: {
      type: 'object',
      description: 'Changes of tags, by key.',
      additionalProperties: changeOf('EventTagChange', TAG_VALUE, 'Change of the value of a tag.'),
      example: { site: { old: 'north', new: 'south' } },
    },
  },
};

/** Updates of an event, oldest first. */
export const UPDATES: JsonSchema = { type: 'array', maxItems: MAX_UPDATES, items: UPDATE };
