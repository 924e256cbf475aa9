import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import type { SentState } from './device-state.schemas.js';
import type { Point } from './report-batch.js';
import { isAccepted, timeOf } from './report-time.js';
import { castValue, type ReportedValue } from './reported-value.js';

/** Accepted part of a reported state. */
export interface AcceptedState {
  /** Time of the state, in milliseconds since 1970. */
  time: number;
  /** Stored values by attribute name. */
  data: Record<string, ReportedValue>;
  points: Point[];
  meta?: unknown;
  flowVersion?: string;
}

/**
 * Returns the accepted states: those within the accepted time range, with the values that are valid for their
 * attributes.
 */
export function acceptStates(
  device: ReportingDevice,
  states: readonly SentState[],
  now: number,
): AcceptedState[] {
  return states.flatMap((state) => {
    const time = timeOf(state.time, now);
    return isAccepted(time, now) ? [acceptState(device, state, time)] : [];
  });
}

function acceptState({ attributes }: ReportingDevice, state: SentState, time: number): AcceptedState {
  const data: Record<string, ReportedValue> = {};
  const points: Point[] = [];
  for (const [name, reported] of Object.entries(state.data)) {
    const attribute = attributes.get(name);
    const value = attribute && castValue(attribute.dataType, reported);
    if (value === undefined) continue;
    data[name] = value;
    points.push({ attribute: attribute!.number, time, value });
  }
  return { time, data, points, meta: state.meta, flowVersion: state.flowVersion };
}
