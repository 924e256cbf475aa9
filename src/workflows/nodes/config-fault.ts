/** Error in the configuration of a node. The message names the property. */
export class ConfigFault extends Error {
  constructor(at: string, words: string) {
    super(`config.${at} ${words}`);
  }
}

/** A choice that later settings depend on is absent. Editors save such nodes; they fail the run. */
export class IncompleteConfig extends ConfigFault {}

/** Returns a value that is required because of other properties. Throws a `ConfigFault` if it is `undefined`. */
export function requireProperty<T>(at: string, value: T | undefined): T {
  if (value === undefined || value === '') throw new ConfigFault(at, 'is required');
  return value;
}
