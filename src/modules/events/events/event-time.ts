import { ValidationError } from '../../../lib/errors/errors.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';
import { REPORT_TIME } from '../../devices/device-state/device-state.schemas.js';
import { timeOf, type ReportTime } from '../../devices/device-state/report-time.js';

/** When an event happened, in the forms that reports of devices have. */
export type EventTime = ReportTime;
export const EVENT_TIME: JsonSchema = { oneOf: REPORT_TIME.oneOf };

const DAY = 86_400_000;

/** The time, or 400 where it is none, before 1970, or more than a day ahead. */
export function eventTimeOf(time: EventTime, now: Date): Date {
  const at = timeOf(time, NaN);
  if (at >= 0 && at <= now.getTime() + DAY) return new Date(at);
  throw new ValidationError('event.creationDate must be a time since 1970, at most a day ahead');
}
