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
    triggers.map(({ version = 'default', ...trigger }) =>
      Object.assign({}, trigger, { version, firing, applicationId }),
    ),
  );

/** Returns an array of values for each column of a statement with a row for each firing, and the texts of their payloads. */
export function joinedColumns(
  { joined, payloadKey }: Cause,
  firings: readonly Firing<Cause>[],
  laneOf: (firing: Firing<Cause>) => number,
): { columns: unknown[][]; texts: string[] } {
  const texts = firings.map(({ triggers: [trigger], items: [item] }) => {
    const key = payloadKey === undefined ? trigger!.key : (item as Rows[number])[payloadKey];
    return `{"type":${JSON.stringify(trigger!.type)},"key":${JSON.stringify(key)},${item!.given.slice(1)}`;
  });
  const columns = Object.keys(joined!.columns).map((column): unknown[] => {
    if (column === 'given') return texts;
    if (column === 'lane') return firings.map(laneOf);
    if (column === 'applicationId') return firings.map(({ applicationId }) => applicationId);
    const [name, number] = column.split('_');
    if (number === undefined) return firings.map(({ items: [item] }) => (item as Rows[number])[name!]);
    const otherwise = name === 'version' ? 'default' : undefined;
    return firings.map(({ triggers }) => (triggers[Number(number)] as Rows[number])[name!] ?? otherwise);
  });
  return { columns, texts };
}

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
