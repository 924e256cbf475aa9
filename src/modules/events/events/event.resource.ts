import { ApiSchema, OmitType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { EVENT_COMPUTED } from './event.columns.js';
import {
  EVENT_DATA,
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

/** Something that happened, and how it was dealt with. */
@ApiSchema({ name: 'Event', description: 'Something that happened, and how it was dealt with.' })
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
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @Column({ type: 'enum', enum: EVENT_LEVELS, enumName: 'event_level' })
  @ChoiceField(EVENT_LEVELS, {
    required: true,
    column: false,
    description: 'How grave it is, from least to most.',
    example: 'warning',
  })
  level: EventLevel;

  @Column({ type: 'enum', enum: EVENT_STATES, enumName: 'event_state' })
  @ChoiceField(EVENT_STATES, {
    required: true,
    column: false,
    description: 'How far it has come; any may follow any.',
  })
  state: EventState;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'What happened, in few words.',
    example: 'Pressure too high',
  })
  subject: string;

  @StringField({
    maxLength: 32767,
    description: 'What happened, at length.',
    example: 'It is above 9 bar for five minutes.',
  })
  message?: string;

  @IdField({ description: 'The device that it is about. It is kept when that is deleted.' })
  deviceId?: string | null;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'What the device was called when the event was made about it.',
    example: 'Pump 3',
  })
  deviceName?: string | null;

  @JsonField(EVENT_TAGS, {
    required: true,
    description: 'Its tags: keys are letters, digits, `_` and `-`.',
    example: TAGS_EXAMPLE,
  })
  eventTags: Readonly<Record<string, string>>;

  @BooleanField({
    required: true,
    description: 'Whether `updates` say nothing of its tags.',
    example: false,
  })
  disableTagChangeTracking: boolean;

  @JsonField(EVENT_DATA, {
    description: 'What is known of it, any JSON of at most 64 KiB.',
    example: DATA_EXAMPLE,
  })
  data?: unknown;

  @ChoiceField(SOURCE_TYPES, { required: true, description: 'What made it.', example: 'user' })
  sourceType: SourceType;

  @IdField({ required: true, description: 'The id of what made it.' })
  sourceId: string;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'What that was called then.',
    example: 'ada@example.com',
  })
  sourceName?: string;

  @JsonField(UPDATES, {
    column: false,
    description: 'Its last 100 updates, the oldest first. Lists leave them out.',
    example: [
      {
        creationDate: '2026-06-13T04:00:00.000Z',
        sourceType: 'user',
        state: 'acknowledged',
        stateChange: { old: 'new', new: 'acknowledged' },
      },
    ],
  })
  updates?: readonly EventUpdate[];

  /** How many updates it has had: the number of the last one. */
  @Column({ type: 'integer', default: 0 })
  updateCount: number;
}

export const EVENTS = holding(Event, {
  table: 'events',
  title: 'Event',
  audited: { type: 'Event', name: 't.subject' },
  count: 'eventCount',
  parted: 'state',
  moves: true,
  computed: EVENT_COMPUTED,
});

@ApiSchema({
  name: 'EventPatch',
  description: 'An update of an event; what is absent stays as it is, and tags are replaced whole.',
})
export class EventPatch {
  @ChoiceField(EVENT_LEVELS, { column: false, description: 'How grave it is.', example: 'warning' })
  level?: EventLevel;

  @ChoiceField(EVENT_STATES, { column: false, description: 'How far it has come.', example: 'acknowledged' })
  state?: EventState;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'What happened, in few words.',
    example: 'Pressure too high',
  })
  subject?: string;

  @IdField({ column: false, nullable: true, description: 'The device that it is about; `null` for none.' })
  deviceId?: string | null;

  @JsonField(EVENT_TAGS, {
    column: false,
    description: 'Its tags, at most 100: keys are letters, digits, `_` and `-`.',
    example: TAGS_EXAMPLE,
  })
  eventTags?: Readonly<Record<string, string>>;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'What is said of it in `updates`.',
    example: 'A valve was shut',
  })
  comment?: string;

  @JsonField(EVENT_DATA, {
    column: false,
    description: 'What is known of it in `updates`, any JSON of at most 64 KiB.',
    example: DATA_EXAMPLE,
  })
  data?: unknown;
}

@ApiSchema({ name: 'EventPost', description: 'A new event.' })
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
    description: 'How grave it is.',
    example: 'warning',
  })
  level: EventLevel;

  @ChoiceField(EVENT_STATES, { column: false, description: 'How far it has come.', default: 'new' })
  state?: EventState;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'What happened, in few words.',
    example: 'Pressure too high',
  })
  subject: string;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'What happened, at length.',
    example: 'It is above 9 bar for five minutes.',
  })
  message?: string;

  @IdField({ column: false, description: 'The device that it is about.' })
  deviceId?: string;

  @JsonField(EVENT_DATA, {
    column: false,
    description: 'What is known of it, any JSON of at most 64 KiB.',
    example: DATA_EXAMPLE,
  })
  data?: unknown;

  @BooleanField({
    column: false,
    description: 'Whether `updates` are to say nothing of its tags.',
    default: false,
  })
  disableTagChangeTracking?: boolean;

  @JsonField(EVENT_TIME, {
    column: false,
    description:
      'When it happened, at most a day ahead: ISO 8601, also as `{"$date": …}` (UTC where it names no offset), or seconds or milliseconds since 1970. Now where it is absent.',
    example: '2026-06-13T04:00:00.000Z',
  })
  creationDate?: EventTime;
}

@ApiSchema({ name: 'Events', description: 'A page of events.' })
export class Events extends pageOf(Event, 'EventsPage', ['applicationId']) {
  @ChoiceField(EVENT_STATES, { column: false, description: 'The state, where one was asked for.' })
  state?: EventState;

  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      description: 'The advanced query, where there was one.',
      example: { level: 'critical' },
    },
  )
  query?: object;
}

@ApiSchema({ name: 'EventsDeleted', description: 'What was deleted.' })
export class EventsDeleted {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many were deleted.',
    example: 3,
  })
  removed: number;
}

/** An event as lists have it. */
@ApiSchema({ name: 'EventPlusNewCount', description: 'The gravest new event, and how many are new.' })
export class EventPlusNewCount {
  @ObjectField(() => Event, { column: false, description: 'The event; absent where none is new.' })
  event?: Event;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many events are new.',
    example: 3,
  })
  newCount: number;
}
