import { isDeepStrictEqual } from 'node:util';
import { ValidationError } from '../../lib/errors/errors.js';

/** Configuration of one type, such as of a service credential, with its secrets or without them. */
export type Config = Readonly<Record<string, unknown>>;

/** Secrets of a configuration, keyed by their path in it, such as `password` or `s3.secretAccessKey`. */
export type Secrets = Readonly<Record<string, unknown>>;

/** Configuration, split into the part that responses show and the secrets, which are stored encrypted. */
export interface SplitConfig<T extends object = Config> {
  shown: T;
  secrets: Secrets;
}

/** Splits a configuration; `paths` are the paths of the secrets of its type. Absent secrets are left out. */
export function splitConfig<T extends object>(config: T, paths: readonly string[]): SplitConfig<T> {
  const shown = structuredClone(config);
  const secrets: Record<string, unknown> = {};
  for (const path of paths) {
    const names = path.split('.');
    const member = names.pop()!;
    const holder = names.reduce<unknown>((at, name) => (at as Config | undefined)?.[name], shown);
    const block = holder as Record<string, unknown> | undefined;
    if (block?.[member] === undefined) continue;
    secrets[path] = block[member];
    delete block[member];
  }
  return { shown, secrets };
}

/** Merges changes into a configuration: given properties replace existing ones, and `null` removes them. */
export function mergeConfig(before: SplitConfig, changes: Config, paths: readonly string[]): SplitConfig {
  const { shown, secrets } = splitConfig(changes, paths);
  return {
    shown: withoutNulls({ ...before.shown, ...shown }),
    secrets: withoutNulls({ ...before.secrets, ...secrets }),
  };
}

/** Returns the first of these members with another value in `after`. */
export const changedMember = (names: readonly string[], before: Config, after: Config): string | undefined =>
  names.find((name) => !isDeepStrictEqual(before[name], after[name]));

/**
 * Throws `400` if a member of `destination` changes and `given` lacks a stored secret, because callers who cannot read
 * the secret could otherwise have it sent to a server of their own. `at` is the path of the configuration.
 */
export function assertSecretsGiven(
  at: string,
  destination: readonly string[],
  before: SplitConfig<object>,
  after: Config,
  given: Config,
): void {
  const changed = changedMember(destination, { ...before.shown }, after);
  const missing = changed && Object.keys(before.secrets).find((name) => given[name] === undefined);
  if (missing) throw new ValidationError(`${at}.${missing} is required when ${changed} changes`);
}

const withoutNulls = (members: Config): Config =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
