import type { Client, Item } from './client.js';
import { valueAt, type Curve, type Value } from './curves.js';
import type { Resources } from './resources.js';

/** Curves of the attributes of a kind of device. */
export interface Kind {
  /** Minutes between two reports. */
  every: number;
  attributes: Record<string, Curve>;
}
export type Kinds = Record<string, Kind>;

interface Reporter {
  path: string;
  name: string;
  kind: Kind;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The platform ignores states older than 30 days. */
const MARGIN_MS = 60 * MINUTE_MS;
const MAX_STATES = 1000;
const CONCURRENCY = 4;

/** Returns the devices that report, those whose tag `kind` has curves. */
export async function reportersOf(resources: Resources, kinds: Kinds): Promise<Reporter[]> {
  const devices = [...(await resources.all('devices')).values()];
  return devices.flatMap(({ id, name, tags, deviceClass }: Item) => {
    const tag = (tags as { key: string; value: string }[]).find(({ key }) => key === 'kind');
    const kind = tag && kinds[tag.value];
    const path = `${resources.base}/devices/${id as string}`;
    return kind && deviceClass !== 'system' ? [{ path, name: name as string, kind }] : [];
  });
}

/** Reports what each device has not reported of the last `days`; returns the number of states. */
export async function reportHistory(
  client: Client,
  reporters: readonly Reporter[],
  days: number,
): Promise<number> {
  let states = 0;
  const queue = reporters.values();
  const work = async () => {
    for (const reporter of queue) {
      const reported = await reportMissing(client, reporter, days);
      states += reported;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return states;
}

/** Reports are sent in the order of their time, so an interrupted run continues after the newest value. */
async function reportMissing(client: Client, { path, name, kind }: Reporter, days: number): Promise<number> {
  const newest = await client.get<Record<string, { time: string }>>(`${path}/compositeState`);
  const last = Math.max(0, ...Object.values(newest).map(({ time }) => Date.parse(time)));
  const step = kind.every * MINUTE_MS;
  const now = Date.now();
  const start = Math.max(last + 1, now - days * DAY_MS + MARGIN_MS);
  const states: { time: number; data: Record<string, Value> }[] = [];
  for (let time = Math.ceil(start / step) * step; time <= now; time += step)
    states.push({ time, data: dataAt(name, kind, time) });
  for (let first = 0; first < states.length; first += MAX_STATES)
    await client.post(`${path}/state`, states.slice(first, first + MAX_STATES));
  return states.length;
}

/** Reports the values of this moment for all devices. */
export async function reportNow(client: Client, reporters: readonly Reporter[]): Promise<void> {
  const time = Date.now();
  for (const { path, name, kind } of reporters)
    await client.post(`${path}/state`, { time, data: dataAt(name, kind, time) });
}

function dataAt(device: string, { attributes }: Kind, time: number): Record<string, Value> {
  const values = Object.entries(attributes).map(([attribute, curve]) => [
    attribute,
    valueAt(curve, `${device} ${attribute}`, time),
  ]);
  return Object.fromEntries(values) as Record<string, Value>;
}
