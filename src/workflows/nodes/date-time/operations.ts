import { invalidSetting } from '../../engine/run-error.js';
import type { Moment } from '../dates.js';

/** Units of nodes, with those of the library for durations and for parts of dates. */
const UNITS = {
  year: ['year', 'year'],
  quarter: ['quarter', 'quarter'],
  month: ['month', 'month'],
  week: ['week', 'week'],
  dayOfYear: ['day', 'dayOfYear'],
  day: ['day', 'date'],
  dayOfWeek: ['day', 'day'],
  hour: ['hour', 'hour'],
  minute: ['minute', 'minute'],
  second: ['second', 'second'],
  millisecond: ['millisecond', 'millisecond'],
} as const;

export type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as [Unit, ...Unit[]];

/** Inputs of an operation besides its date. */
export interface Inputs {
  /** `undefined` if the node has none. */
  readonly unit: Unit | undefined;
  number(): number;
  /** The date that `diff` subtracts; `undefined` if it is no date. */
  other(): Moment | undefined;
}

/** Returns a date, or another value. The date is the operation's own and can be changed. */
type Operation = (date: Moment, inputs: Inputs) => unknown;

const durationUnit = ({ unit = 'year' }: Inputs) => UNITS[unit][0];
const partOf = ({ unit = 'year' }: Inputs) => UNITS[unit][1];

export const OPERATIONS = {
  add: (date, inputs) => date.add(inputs.number(), durationUnit(inputs)),
  subtract: (date, inputs) => date.subtract(inputs.number(), durationUnit(inputs)),
  startOfTime: (date, inputs) => date.startOf(durationUnit(inputs)),
  diff: (date, inputs) => {
    const other = inputs.other();
    return other && date.diff(other, inputs.unit ? durationUnit(inputs) : 'millisecond');
  },
  format: (date) => date,
  getDatePart: (date, inputs) => date.get(partOf(inputs)),
  setDatePart: (date, inputs) => date.set(partOf(inputs), integer(inputs.number())),
  daysInMonth: (date) => date.daysInMonth(),
  unixTimestampSeconds: (date) => date.unix(),
  unixTimestampMilliseconds: (date) => date.valueOf(),
  toArray: (date) => date.toArray(),
  toObject: (date) => date.toObject(),
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as [OperationName, ...OperationName[]];

function integer(number: number): number {
  if (Number.isSafeInteger(number)) return number;
  throw invalidSetting('numberValue', 'must be an integer');
}
