import { invalidSetting } from '../engine/run-error.js';

const MAX_PORT = 65_535;

/** Returns a port. Throws a `RunFault` for other numbers. */
export function portOf(port: number, at: string): number {
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) throw invalidSetting(at, 'must be a port');
  return port;
}
