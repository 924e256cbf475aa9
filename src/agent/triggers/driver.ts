import type { Json } from '../../workflows/graph/graph.js';
import type { Log } from '../log.js';
import type { Cause } from '../flows/runner.js';

/** Trigger that a driver listens for. */
export interface DrivenTrigger {
  readonly key: string;
  readonly config: Json;
  /** Starts a run. */
  readonly fire: (cause: Omit<Cause, 'type'>) => void;
  readonly log: Log;
}

/** Starts to listen for a trigger. Returns a function that stops. Throws an error for a configuration that it cannot use. */
export type Driver = (trigger: DrivenTrigger) => Stop | Promise<Stop>;
export type Stop = () => void | Promise<void>;

/** Returns a member of a configuration as text. Numbers of editors may be texts, and the other way round. */
export function textIn(config: Json, name: string): string {
  const value = config[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
