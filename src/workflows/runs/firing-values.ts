import type { PayloadChannel } from '../../platform/payloads/payload-types.js';
import type { Cause } from './cause.js';
import type { Columns, SqlValues } from './cause-declaration.js';

/** One change or received message, with its payloads. */
export interface Firing<C extends Cause> {
  applicationId: string;
  deviceId?: string | null;
  /** Whether the sender waits for a reply of the workflow. */
  isAwaited?: boolean;
  /** Triggers to fire. `version` selects the version of their workflows: `default`, `develop` or a name. */
  triggers: readonly ({ type: string; key: string; version?: string } & Values<C, 'asks'>)[];
  /** Payloads: `given` is the text of a trigger without its type and key. `bytes` is the size to count. */
  items: readonly ({ given: string } & Values<C, 'items'> & Counted<C>)[];
}

type Values<C, K extends 'asks' | 'items'> =
  C extends Readonly<Record<K, infer T extends Columns>> ? { [N in keyof T]: SqlValues[T[N]] } : unknown;
type Counted<C> = C extends { counts: string } ? { channel: PayloadChannel; bytes: number } : unknown;

/** Maximum number of items and triggers per statement. */
const MAX_ITEMS = 1_000;
const MAX_TRIGGERS = 5_000;

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Returns an array of values for each column. */
export const byColumn = (columns: Columns, rows: Rows): unknown[] =>
  Object.keys(columns).map((name) => rows.map((row) => row[name]));
/** Returns the values of the rows, one after another. */
export const byRow = (columns: Columns, rows: Rows): unknown[] =>
  rows.flatMap((row) => Object.keys(columns).map((name) => row[name]));

/** Returns the rows of the triggers of firings, which are numbered. */
export const triggerRows = (firings: readonly Pick<Firing<Cause>, 'applicationId' | 'triggers'>[]): Rows =>
  firings.flatMap(({ applicationId, triggers }, firing) =>
    triggers.map(({ version = 'default', ...trigger }) => ({ ...trigger, version, firing, applicationId })),
  );

/** Returns the row of a firing with one item, for a statement with a row for each firing. */
export const joinedRow = (
  { applicationId, deviceId = null, triggers, items: [item] }: Omit<Firing<Cause>, 'isAwaited'>,
  lane: number,
): Rows[number] => {
  const ofTriggers = triggers.flatMap(({ version = 'default', ...trigger }, n) =>
    Object.entries({ ...trigger, version }).map(([name, value]) => [`${name}_${n}`, value]),
  );
  return { ...item, lane, firing: 0, applicationId, deviceId, ...Object.fromEntries(ofTriggers) };
};

/** Splits firings into chunks that one statement can process. A firing is never split. */
export function* portions<F extends Readonly<Record<'triggers' | 'items', readonly unknown[]>>>(
  firings: readonly F[],
): Generator<F[]> {
  let some: F[] = [];
  let triggers = 0;
  let items = 0;
  for (const firing of firings) {
    const isFull =
      triggers + firing.triggers.length > MAX_TRIGGERS || items + firing.items.length > MAX_ITEMS;
    if (some.length > 0 && isFull) {
      yield some;
      [some, triggers, items] = [[], 0, 0];
    }
    some.push(firing);
    triggers += firing.triggers.length;
    items += firing.items.length;
  }
  if (some.length > 0) yield some;
}
