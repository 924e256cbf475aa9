import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { isDeepStrictEqual } from 'node:util';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { Event, EventPatch } from './event.resource.js';
import { MAX_DATA_BYTES, MAX_EVENT_TAGS, type EventSource, type EventUpdate } from './event.schemas.js';

/** Properties of an event that a patch can change. */
export type ChangeableProperties = Pick<
  Event,
  'state' | 'level' | 'subject' | 'eventTags' | 'disableTagChangeTracking'
> & {
  deviceId: string | null;
  deviceName: string | null;
};

/** A changed event and the update that describes the change. */
export interface ChangedEvent<T extends ChangeableProperties> {
  event: T;
  update: EventUpdate;
}

/** A patch with the name of its device. */
export type NamedPatch = EventPatch & { deviceName?: string | null };

const KEY = new RegExp(NAME_PATTERN);

/** Throws 400 for invalid tags and data that the schema cannot reject; `body` is their path in error messages. */
export function checkEvent(
  { eventTags = {}, data }: Pick<EventPatch, 'eventTags' | 'data'>,
  body: string,
): void {
  const keys = Object.keys(eventTags);
  if (keys.length > MAX_EVENT_TAGS)
    throw new ValidationError(`${body}.eventTags must have at most ${MAX_EVENT_TAGS} tags`);
  if (keys.some((key) => !KEY.test(key)))
    throw new ValidationError(`${body}.eventTags must have keys of 1 to 255 letters, digits, _ and -`);
  if (data !== undefined && Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES)
    throw new ValidationError(`${body}.data must have at most ${MAX_DATA_BYTES / 1024} KiB as JSON`);
}

/** Returns the patched event and an update with the changes. Unchanged properties are not part of the update. */
export function applyPatch<T extends ChangeableProperties>(
  stored: T,
  patch: NamedPatch,
  source: EventSource,
  time: Date,
): ChangedEvent<T> {
  const { comment, data, state } = patch;
  const event = { ...stored };
  if (state !== undefined) event.state = state;
  if (patch.level !== undefined) event.level = patch.level;
  if (patch.subject !== undefined) event.subject = patch.subject;
  if (patch.eventTags !== undefined) event.eventTags = patch.eventTags;
  if (patch.deviceId !== undefined) {
    event.deviceId = patch.deviceId;
    event.deviceName = patch.deviceName ?? null;
  }
  const update: EventUpdate = {
    creationDate: time.toISOString(),
    ...source,
    comment,
    data: data ?? undefined,
    state,
    stateChange: changeOf(stored.state, event.state),
    levelChange: changeOf(stored.level, event.level),
    subjectChange: changeOf(stored.subject, event.subject),
    deviceIdChange: deviceChange(stored, event),
    tagsChange: stored.disableTagChangeTracking ? undefined : tagsChange(stored.eventTags, event.eventTags),
  };
  return { event, update };
}

function changeOf<T>(old: T, current: T): { old: T; new: T } | undefined {
  return old === current ? undefined : { old, new: current };
}

function deviceChange(
  old: ChangeableProperties,
  current: ChangeableProperties,
): EventUpdate['deviceIdChange'] {
  if (old.deviceId === current.deviceId) return undefined;
  return {
    old: old.deviceId ?? undefined,
    oldDeviceName: old.deviceName ?? undefined,
    new: current.deviceId ?? undefined,
    newDeviceName: current.deviceName ?? undefined,
  };
}

function tagsChange(old: Event['eventTags'], current: Event['eventTags']): EventUpdate['tagsChange'] {
  if (isDeepStrictEqual(old, current)) return undefined;
  const keys = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return Object.fromEntries(
    keys.filter((key) => old[key] !== current[key]).map((key) => [key, { old: old[key], new: current[key] }]),
  );
}
