import { newId } from '../../platform/repositories/resource.js';
import { LANES, laneOf } from './lanes.js';

it('spreads applications over all lanes', () => {
  const lanes = Array.from({ length: 10_000 }, () => laneOf(newId()));
  expect(lanes.every((lane) => Number.isInteger(lane) && lane >= 0 && lane < LANES)).toBe(true);
  expect(new Set(lanes).size).toBe(LANES);
});

it('keeps the lane of an application', () => {
  const id = newId();
  expect(laneOf(id)).toBe(laneOf(id));
});
