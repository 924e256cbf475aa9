import type { Compiled } from '../language/compile.js';
import { valueAt } from '../language/evaluate.js';
import type { Actor } from '../engine/ports.js';
import type { RunPath } from '../engine/node-run.js';
import { invalidSetting } from '../engine/run-error.js';
import { requiredTemplate, template, type Setting } from './settings.js';

/** Returns the workflow of a run as the caller of a port, for one call. */
export function actorOf(path: RunPath): Actor {
  const { id, applicationId, flowId, network } = path.run;
  return { id, applicationId, flowId, network, effectId: path.nextEffectId() };
}

/** Returns a number that a run has computed. Throws a `RunFault` that names `at` unless it is from `min` to `max`. */
export function numberWithin(number: number, at: string, min: number, max: number): number {
  if (number >= min && number <= max) return number;
  throw invalidSetting(at, `must be a number from ${min} to ${max}`);
}

/** Returns an integer that a run has computed. Throws a `RunFault` that names `at` unless it is from `min` to `max`. */
export function integerWithin(number: number, at: string, min: number, max: number): number {
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw invalidSetting(at, `must be an integer from ${min} to ${max}`);
}

/** Maximum length of keys of the storage, and of identifiers of the states of nodes. */
const MAX_KEY_LENGTH = 255;

/** Returns a template whose text has at most 255 characters, or the run fails. */
const bounded =
  (setting: Setting<Compiled<string>>): Setting<Compiled<string>> =>
  (value, at) => {
    const render = setting(value, at);
    return (payload) => {
      const key = render(payload);
      if (key.length <= MAX_KEY_LENGTH) return key;
      throw invalidSetting(at, `must have at most ${MAX_KEY_LENGTH} characters`);
    };
  };

/** Template of a key of the storage. */
export const storageKey = bounded(requiredTemplate);

/** Template of an identifier: each has a state of the node of its own. */
export const identifier = bounded(template);

/** Returns the time of a payload: when its trigger fired. */
export function payloadTime(payload: unknown): Date {
  const time = valueAt(['time'], payload);
  const date = new Date(
    time instanceof Date || typeof time === 'string' || typeof time === 'number' ? time : NaN,
  );
  return Number.isNaN(date.getTime()) ? new Date() : date;
}
