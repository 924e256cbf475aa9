import { valueAt, type Curve } from '../../demo/curves.js';

const HOUR_MS = 3_600_000;
const MONDAY = Date.UTC(2026, 0, 5);
const SATURDAY = Date.UTC(2026, 0, 10);

/** Values of a day, one for each hour. */
const dayOf = (curve: Curve, start: number, seed = 'Pump 1') =>
  Array.from({ length: 24 }, (_, hour) => valueAt(curve, seed, start + hour * HOUR_MS));

describe('valueAt', () => {
  const wave: Curve = { type: 'wave', mean: 6, swing: 1, peak: 8, noise: 0.2, weekend: 0.5 };

  it('returns the same curve for a seed and another one for another', () => {
    expect(dayOf(wave, MONDAY)).toEqual(dayOf(wave, MONDAY));
    expect(dayOf(wave, MONDAY)).not.toEqual(dayOf(wave, MONDAY, 'Pump 2'));
  });

  it('returns a daily wave with its maximum near the peak, and less on weekends', () => {
    const values = dayOf(wave, MONDAY) as number[];
    expect(Math.abs(values.indexOf(Math.max(...values)) - 8)).toBeLessThanOrEqual(3);
    expect(Math.max(...(dayOf(wave, SATURDAY) as number[]))).toBeLessThan(5);
  });

  it('adds a fault on about one day in ten', () => {
    const faulty: Curve = { ...wave, noise: 0, fault: 10 };
    const days = Array.from({ length: 300 }, (_, day) => dayOf(faulty, MONDAY + day * 24 * HOUR_MS));
    const withFault = days.filter((values) => values.some((value) => (value as number) > 12));
    expect(withFault.length).toBeGreaterThan(10);
    expect(withFault.length).toBeLessThan(60);
  });

  it('returns the load of a shift on weekdays only', () => {
    const shift: Curve = { type: 'shift', rest: 10, busy: 80, from: 8, to: 17, noise: 5 };
    expect(dayOf(shift, MONDAY)[12]).toBeGreaterThan(60);
    expect(dayOf(shift, MONDAY)[3]).toBe(10);
    expect(new Set(dayOf(shift, SATURDAY))).toEqual(new Set([10]));
  });

  it('returns a counter that never falls and grows by its daily amount on a weekday', () => {
    const counter: Curve = { type: 'counter', perDay: 240, from: 6, to: 18 };
    const week = Array.from({ length: 8 }, (_, day) => dayOf(counter, MONDAY + day * 24 * HOUR_MS)).flat();
    const steps = week.slice(1).map((value, i) => (value as number) - (week[i] as number));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect((week[24] as number) - (week[0] as number)).toBeCloseTo(240);
    expect((week.at(-1) as number) - (week[0] as number)).toBeCloseTo(6 * 240);
  });

  it('moves along a route and ends where it began', () => {
    const corners: [number, number][] = [
      [52, 13],
      [53, 14],
    ];
    const route: Curve = { type: 'route', from: 6, to: 18, corners };
    const values = dayOf(route, MONDAY);
    expect(values[0]).toBe('52.00000,13.00000');
    expect(values[9]).toBe('52.50000,13.50000');
    expect(values[12]).toBe('53.00000,14.00000');
    expect(values[23]).toBe('52.00000,13.00000');
  });

  it('returns flags by hour, rarely or always', () => {
    expect(dayOf({ type: 'on', from: 5, to: 20 }, MONDAY).filter(Boolean)).toHaveLength(14);
    expect(dayOf({ type: 'on', from: 5, to: 20 }, SATURDAY).filter(Boolean)).toHaveLength(0);
    expect(dayOf({ type: 'rare', days: 1 }, MONDAY).filter(Boolean).length).toBeLessThanOrEqual(1);
    expect(dayOf({ type: 'steady', value: true }, SATURDAY).filter(Boolean)).toHaveLength(24);
  });

  it('returns a battery between full and its least', () => {
    const values = dayOf({ type: 'battery', least: 20, days: 1 }, MONDAY) as number[];
    expect(Math.max(...values)).toBeGreaterThan(90);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(20);
  });
});
