import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import type { ReceivedState } from './device-state.schemas.js';
import type { Point } from './report-batch.js';
import { isAccepted, receivedTime } from './report-time.js';
import { castValue, type ReportValue } from './report-value.js';

/** Accepted part of a received state. */
export interface AcceptedState {
  /** Time of the state, in milliseconds since 1970. */
  time: number;
  /** Accepted values by attribute name. */
  data: Record<string, ReportValue>;
  points: Point[];
  meta?: unknown;
  flowVersion?: string;
}

/**
 * Returns the accepted states: those within the accepted time range, with the values that are valid for their
 * attributes. Throws 400 if a time is on a day that does not exist.
 */
export function acceptStates(
  device: ReportingDevice,
  states: readonly ReceivedState[],
  now: number,
): AcceptedState[] {
  return states.flatMap((state) => {
    const time = receivedTime(state.time, now, 'deviceState.time');
    return isAccepted(time, now) ? [acceptState(device, state, time)] : [];
  });
}

function acceptState({ attributes }: ReportingDevice, state: ReceivedState, time: number): AcceptedState {
  const data: Record<string, ReportValue> = {};
  const points: Point[] = [];
  for (const [name, received] of Object.entries(state.data)) {
    const attribute = attributes.get(name);
    const value = attribute && castValue(attribute.dataType, received);
    if (value === undefined) continue;
    data[name] = value;
    points.push({ attribute: attribute!.number, time, value });
  }
  return { time, data, points, meta: state.meta, flowVersion: state.flowVersion };
}
