import { ValidationError } from '../../../lib/errors/errors.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';
import { REPORT_TIME } from '../../devices/device-state/device-state.schemas.js';
import { timeOf, type ReportTime } from '../../devices/device-state/report-time.js';

/** Time of an event, in the formats of device reports. */
export type EventTime = ReportTime;
export const EVENT_TIME: JsonSchema = { oneOf: REPORT_TIME.oneOf };

const DAY = 86_400_000;

/** Parses the time of an event. Throws 400 if it is invalid, before 1970 or more than a day in the future. */
export function eventTimeOf(time: EventTime, now: Date): Date {
  const at = timeOf(time, NaN, 'event.creationDate');
  if (at >= 0 && at <= now.getTime() + DAY) return new Date(at);
  throw new ValidationError('event.creationDate must be a time since 1970, at most a day ahead');
}
