/** What is wrong with the configuration of a node, in words that name the member. */
export class ConfigFault extends Error {
  constructor(at: string, words: string) {
    super(`config.${at} ${words}`);
  }
}

/** The member's value, which must be given where other members ask for it. */
export function needed<T>(at: string, value: T | undefined): T {
  if (value === undefined || value === '') throw new ConfigFault(at, 'is required');
  return value;
}
