import { ApiSchema, OmitType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  ID_EXAMPLE,
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
} from '../../../platform/fields/fields.js';
import { JSON_VALUE, NULLABLE_JSON_VALUE } from '../../../platform/fields/schema.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { EVENT_COMPUTED } from './event.columns.js';
import {
  EVENT_LEVELS,
  EVENT_STATES,
  EVENT_TAGS,
  SOURCE_TYPES,
  UPDATES,
  type EventLevel,
  type EventState,
  type EventUpdate,
  type SourceType,
} from './event.schemas.js';
import { EVENT_TIME, type EventTime } from './event-time.js';

const TAGS_EXAMPLE = { site: 'north' };
const DATA_EXAMPLE = { pressure: 9.4 };

/** An event: an incident or occurrence, and how it was handled. */
@ApiSchema({
  name: 'ApplicationEvent',
  description: 'An incident or occurrence with its level, state and history of updates.',
})
@Entity('events')
@Index('events_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('events_by_id', ['applicationId', 'id'])
@Index('events_by_state', ['applicationId', 'state', 'id'])
@Index('events_of_state_by_creation', ['applicationId', 'state', 'creationDate', 'id'])
@Index('events_of_state_by_change', ['applicationId', 'state', 'lastUpdated', 'id'])
@Index('events_of_state_by_subject', ['applicationId', 'state', 'subject', 'id'])
@Index('events_of_state_by_level', ['applicationId', 'state', 'level', 'id'])
@Index('events_of_state_by_device', ['applicationId', 'state', 'deviceId', 'id'])
@Index('events_new', ['applicationId', 'level', 'creationDate', 'id'], { where: `state = 'new'` })
export class Event extends Resource {
  @AliasField('event')
  eventId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the event.' })
  applicationId: string;

  @Column({ type: 'enum', enum: EVENT_LEVELS, enumName: 'event_level' })
  @ChoiceField(EVENT_LEVELS, {
    required: true,
    column: false,
    description: 'Severity level, in ascending order.',
    example: 'warning',
  })
  level: EventLevel;

  @Column({ type: 'enum', enum: EVENT_STATES, enumName: 'event_state' })
  @ChoiceField(EVENT_STATES, {
    required: true,
    column: false,
    description: 'State of handling. Any state can follow any other.',
  })
  state: EventState;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Short summary of the event.',
    example: 'Pressure too high',
  })
  subject: string;

  @StringField({
    maxLength: 32767,
    description: 'Detailed description of the event.',
    example: 'It is above 9 bar for five minutes.',
  })
  message?: string;

  @IdField({ description: 'ID of the device that the event concerns. Kept when the device is deleted.' })
  deviceId?: string | null;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'Name of the device when the event was assigned to it.',
    example: 'Pump 3',
  })
  deviceName?: string | null;

  @JsonField(EVENT_TAGS, {
    required: true,
    description: 'Tags of the event. Keys contain letters, digits, `_` and `-`.',
    example: TAGS_EXAMPLE,
  })
  eventTags: Readonly<Record<string, string>>;

  @BooleanField({
    required: true,
    description: 'Whether `updates` omit changes of tags.',
    example: false,
  })
  disableTagChangeTracking: boolean;

  @JsonField(JSON_VALUE, {
    description: 'Additional data of the event: any JSON of up to 64 KiB.',
    example: DATA_EXAMPLE,
  })
  data?: unknown;

  @ChoiceField(SOURCE_TYPES, {
    required: true,
    description: 'Type of the source that created the event.',
    example: 'user',
  })
  sourceType: SourceType;

  @IdField({ required: true, description: 'ID of the source that created the event.' })
  sourceId: string;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'Name of the source when the event was created.',
    example: 'ada@example.com',
  })
  sourceName?: string;

  @JsonField(UPDATES, {
    column: false,
    description: 'Last 100 updates, oldest first. Omitted in lists.',
    example: [
      {
        creationDate: '2026-06-15T09:30:00.000Z',
        sourceType: 'user',
        sourceId: ID_EXAMPLE,
        sourceName: 'ada@example.com',
        comment: 'On my way',
        state: 'acknowledged',
        stateChange: { old: 'new', new: 'acknowledged' },
      },
    ],
  })
  updates?: readonly EventUpdate[];

  /** Total number of updates, which is also the number of the last one. */
  @Column({ type: 'integer', default: 0 })
  updateCount: number;
}

export const EVENTS = holding(Event, {
  table: 'events',
  title: 'Event',
  audited: { type: 'Event', name: 't.subject' },
  count: 'eventCount',
  partitionedBy: 'state',
  changesPartition: true,
  computed: EVENT_COMPUTED,
  after: ['devices'],
});

@ApiSchema({
  name: 'EventPatch',
  description: 'An update of an event. Omitted properties keep their value. Tags are replaced, not merged.',
})
export class EventPatch {
  @ChoiceField(EVENT_LEVELS, {
    column: false,
    description: 'Severity level of the event.',
    example: 'warning',
  })
  level?: EventLevel;

  @ChoiceField(EVENT_STATES, {
    column: false,
    description: 'State of handling of the event.',
    example: 'acknowledged',
  })
  state?: EventState;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Short summary of the event.',
    example: 'Pressure too high',
  })
  subject?: string;

  @IdField({
    column: false,
    nullable: true,
    description: 'ID of the device that the event concerns; `null` for none.',
  })
  deviceId?: string | null;

  @JsonField(EVENT_TAGS, {
    column: false,
    description: 'Tags of the event, at most 100. Keys contain letters, digits, `_` and `-`.',
    example: TAGS_EXAMPLE,
  })
  eventTags?: Readonly<Record<string, string>>;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'Comment to add to `updates`.',
    example: 'A valve was shut',
  })
  comment?: string;

  @JsonField(NULLABLE_JSON_VALUE, {
    column: false,
    description: 'Data to add to `updates`: any JSON of up to 64 KiB.',
    example: DATA_EXAMPLE,
  })
  data?: unknown;
}

@ApiSchema({ name: 'EventPost', description: 'Properties of a new event.' })
export class EventPost extends OmitType(EventPatch, [
  'level',
  'state',
  'subject',
  'deviceId',
  'comment',
  'data',
]) {
  @ChoiceField(EVENT_LEVELS, {
    column: false,
    required: true,
    description: 'Severity level of the event.',
    example: 'warning',
  })
  level: EventLevel;

  @ChoiceField(EVENT_STATES, {
    column: false,
    description: 'State of handling of the event.',
    default: 'new',
  })
  state?: EventState;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Short summary of the event.',
    example: 'Pressure too high',
  })
  subject: string;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'Detailed description of the event.',
    example: 'It is above 9 bar for five minutes.',
  })
  message?: string;

  @IdField({ column: false, description: 'ID of the device that the event concerns.' })
  deviceId?: string;

  @JsonField(NULLABLE_JSON_VALUE, {
    column: false,
    description: 'Additional data of the event: any JSON of up to 64 KiB.',
    example: DATA_EXAMPLE,
  })
  data?: unknown;

  @BooleanField({
    column: false,
    description: 'Whether to omit changes of tags from `updates`.',
    default: false,
  })
  disableTagChangeTracking?: boolean;

  @JsonField(EVENT_TIME, {
    column: false,
    description:
      'Time the event happened, at most one day ahead; defaults to now. ISO 8601, also as `{"$date": …}` (UTC without an offset), or seconds or milliseconds since 1970.',
    example: '2026-06-13T04:00:00.000Z',
  })
  creationDate?: EventTime;
}

@ApiSchema({ name: 'Events', description: 'A page of events in an application.' })
export class Events extends pageOf(Event, 'EventsPage', ['applicationId']) {
  @ChoiceField(EVENT_STATES, { column: false, description: 'State that the request filtered by, if any.' })
  state?: EventState;

  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      description: 'Advanced query of the request, if any.',
      example: { level: 'critical' },
    },
  )
  query?: object;
}

@ApiSchema({ name: 'EventsDeleted', description: 'Result of deleting events.' })
export class EventsDeleted {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of deleted events.',
    example: 3,
  })
  removed: number;
}

/** An event in the shape of lists. */
@ApiSchema({
  name: 'EventPlusNewCount',
  description: 'The most severe new event and the number of new events.',
})
export class EventPlusNewCount {
  @ObjectField(() => Event, { column: false, description: 'The event; absent if there are no new events.' })
  event?: Event;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of new events.',
    example: 3,
  })
  newCount: number;
}
