/** Values of an attribute over time, as text of `demo/curves.yaml`. Hours are UTC. */
export type Curve =
  /** A daily wave with its maximum at the hour `peak`, on weekends multiplied by `weekend`. */
  | {
      type: 'wave';
      mean: number;
      swing: number;
      peak: number;
      noise: number;
      weekend?: number;
      /** Added for an hour on about one day in ten, such as a fault. */
      fault?: number;
      least?: number;
    }
  /** `busy` from an hour to another on weekdays, otherwise `rest`. */
  | { type: 'shift'; rest: number; busy: number; from: number; to: number; noise: number }
  /** Always the same. */
  | { type: 'steady'; value: Value }
  /** True from an hour to another on weekdays. */
  | { type: 'on'; from: number; to: number }
  /** True for a quarter of an hour on about one day in `days`. */
  | { type: 'rare'; days: number }
  /** A counter that grows by `perDay` from an hour to another on weekdays. */
  | { type: 'counter'; perDay: number; from: number; to: number }
  /** Falls from 100 to `least` in so many days and starts again. */
  | { type: 'battery'; least: number; days: number }
  /** Goes around the corners once from an hour to another on weekdays, and stays at the first otherwise. */
  | { type: 'route'; corners: [latitude: number, longitude: number][]; from: number; to: number };

export type Value = number | boolean | string;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time in which noise changes completely. */
const NOISE_MS = 0.4 * HOUR_MS;

/** Returns the value at a time. The same seed, such as the name of the device, always gives the same curve. */
export function valueAt(curve: Curve, seed: string, time: number): Value {
  const day = Math.floor(time / DAY_MS);
  const hour = (time % DAY_MS) / HOUR_MS;
  const noise = (size: number) => size * smoothNoise(seed, time / NOISE_MS);
  switch (curve.type) {
    case 'wave': {
      const wave = curve.swing * Math.cos(((hour - curve.peak) / 12) * Math.PI);
      const device = 0.1 * curve.swing * centered(`${seed} device`);
      const weekend = isWeekend(day) ? (curve.weekend ?? 1) : 1;
      const faultHour = 24 * random(`${seed} fault ${day}`) * 10;
      const fault = curve.fault && hour >= faultHour && hour < faultHour + 1 ? curve.fault : 0;
      const value = (curve.mean + wave + device) * weekend + noise(curve.noise) + fault;
      return rounded(Math.max(value, curve.least ?? -Infinity));
    }
    case 'shift': {
      const busy = smoothStep((hour - curve.from) / 1.5) - smoothStep((hour - curve.to) / 1.5);
      const share = isWeekend(day) ? 0 : busy * (0.85 + 0.15 * random(`${seed} ${day}`));
      return rounded(
        Math.max(0, curve.rest + share * (curve.busy - curve.rest) + share * noise(curve.noise)),
      );
    }
    case 'steady':
      return curve.value;
    case 'on':
      return shareOfShift(curve, day, hour) > 0 && hour < curve.to;
    case 'rare': {
      const start = 24 * random(`${seed} ${day}`) * curve.days;
      return hour >= start && hour < start + 0.25;
    }
    case 'counter': {
      // Five of seven days; the sum of whole days needs no loop over them.
      const workdays = Math.floor((day + 3) / 7) * 5 + Math.min((day + 3) % 7, 5);
      const start = curve.perDay * 100 * random(`${seed} start`);
      const since = workdays - 14_500;
      return rounded(start + curve.perDay * (since + shareOfShift(curve, day, hour)));
    }
    case 'battery': {
      const days = time / DAY_MS + curve.days * random(`${seed} start`);
      return Math.round(100 - (100 - curve.least) * ((days % curve.days) / curve.days));
    }
    case 'route': {
      const { corners } = curve;
      const position = (shareOfShift(curve, day, hour) % 1) * corners.length;
      const from = corners[Math.floor(position)]!;
      const to = corners[(Math.floor(position) + 1) % corners.length]!;
      const share = position % 1;
      return [0, 1].map((axis) => (from[axis]! + share * (to[axis]! - from[axis]!)).toFixed(5)).join(',');
    }
  }
}

/** Share of the day's shift that is over: 0 on weekends and before it, 1 after it. */
function shareOfShift(shift: { from: number; to: number }, day: number, hour: number): number {
  if (isWeekend(day)) return 0;
  return Math.min(1, Math.max(0, (hour - shift.from) / (shift.to - shift.from)));
}

/** 1970 began on a Thursday. */
const isWeekend = (day: number): boolean => (day + 3) % 7 >= 5;

const rounded = (value: number): number => Number(value.toFixed(2));

function smoothStep(share: number): number {
  const within = Math.min(1, Math.max(0, share));
  return within * within * (3 - 2 * within);
}

/** Returns a value from -1 to 1 that changes smoothly with `position`. */
function smoothNoise(seed: string, position: number): number {
  const cell = Math.floor(position);
  const from = centered(`${seed} ${cell}`);
  return from + smoothStep(position - cell) * (centered(`${seed} ${cell + 1}`) - from);
}

const centered = (seed: string): number => 2 * random(seed) - 1;

/** Returns a number from 0 to 1 that depends on the text only (FNV-1a with a final mix). */
function random(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
