/** The id of an event: milliseconds and a number, as Redis gives them. */
export type EventId = string;

const EVENT_ID = /^(\d{1,15})-(\d{1,15})$/;

/** Before every event. */
export const NO_EVENT: EventId = '0-0';

/** The id that a text is; nothing where it is none. */
export function parseEventId(text: unknown): EventId | undefined {
  return typeof text === 'string' && EVENT_ID.test(text) ? text : undefined;
}

/** Whether an event came after another of its channel. */
export function isAfter(id: EventId, other: EventId): boolean {
  const [time, number] = partsOf(id);
  const [otherTime, otherNumber] = partsOf(other);
  return time === otherTime ? number > otherNumber : time > otherTime;
}

function partsOf(id: EventId): [number, number] {
  const [, time, number] = EVENT_ID.exec(id) ?? [];
  return [Number(time), Number(number)];
}
