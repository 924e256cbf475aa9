import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { isObject, PROTOTYPE_NAMES } from '../../lib/json/json.js';
import type { Documents } from '../store/documents.js';
import { readExternalBrokers, type ExternalBroker } from './external-brokers.js';
import {
  OWN_VARIABLES,
  readSetting,
  SETTINGS,
  SETTINGS_BY_KEY,
  SettingsError,
  type SettingValue,
} from './settings.js';

/** Default path of the configuration file, which need not exist. `CONF_PATH` names another, which must. */
const CONF_PATH = '/etc/fieldwright/agent.toml';
const DOCUMENT = 'settings';
/** The store has the values that workflows set, so they cannot move it. */
const FIXED: ReadonlySet<string> = new Set(['store.path']);

type Environment = Readonly<Record<string, string | undefined>>;
type Values = ReadonlyMap<string, SettingValue>;

/**
 * Settings of the agent. A variable wins over the value that a workflow has set, which wins over the configuration file
 * and the default.
 */
export class AgentSettings {
  private stored: Values = new Map();
  private documents?: Documents;

  private constructor(
    private readonly variables: Values,
    private readonly file: Values,
    /** Brokers of other operators, by name. */
    readonly externalBrokers: ReadonlyMap<string, ExternalBroker>,
    /** Keys in the configuration file that no setting has. */
    readonly unknownKeys: readonly string[],
    /** Variables that workflows see. */
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Reads the variables and the configuration file. Throws a `SettingsError`. */
  static read(environment: Environment): AgentSettings {
    const variables = new Map(
      SETTINGS.map(({ variable, key, ...declaration }) => [
        key,
        readSetting({ variable, key, ...declaration }, environment[variable], variable),
      ]),
    );
    const given = environment.CONF_PATH?.trim();
    const { externalBrokers, ...document } = readDocument(given || CONF_PATH, !given);
    const flat = new Map(entriesOf(document, ''));
    const file = new Map(
      SETTINGS.map((setting) => [setting.key, readSetting(setting, flat.get(setting.key), setting.key)]),
    );
    const unknown = [...flat.keys()].filter((key) => !SETTINGS_BY_KEY.has(key));
    const visible = Object.entries(environment).filter(
      (entry): entry is [string, string] => !OWN_VARIABLES.has(entry[0]) && entry[1] !== undefined,
    );
    return new AgentSettings(
      variables,
      file,
      readExternalBrokers(externalBrokers),
      unknown,
      Object.fromEntries(visible),
    );
  }

  /** Adds the values that workflows have set. */
  attach(documents: Documents): void {
    this.documents = documents;
    const stored = documents.get(DOCUMENT);
    if (isObject(stored))
      this.stored = new Map(
        Object.entries(stored).filter(([key]) => SETTINGS_BY_KEY.has(key)) as [string, SettingValue][],
      );
  }

  get(key: string): SettingValue {
    return (
      this.variables.get(key) ??
      this.stored.get(key) ??
      this.file.get(key) ??
      SETTINGS_BY_KEY.get(key)?.default
    );
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    return value === undefined ? undefined : String(value);
  }

  /** Returns all values as nested objects, as in the configuration file. */
  all(): Record<string, unknown> {
    const all: Record<string, unknown> = {};
    for (const { key } of SETTINGS) {
      const names = key.split('.');
      const last = names.pop()!;
      let at = all;
      for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
      const value = this.get(key);
      if (value !== undefined) at[last] = value;
    }
    return all;
  }

  /**
   * Stores values that a workflow sets: all of them, or none. Keys are those of the configuration file, or objects of
   * them. Returns whether one was different before. Throws a `SettingsError`.
   */
  set(values: Readonly<Record<string, unknown>>): boolean {
    const changed = new Map(this.stored);
    for (const [key, value] of entriesOf(values, '')) {
      const setting = SETTINGS_BY_KEY.get(key);
      if (!setting || FIXED.has(key))
        throw new SettingsError(`${key} is not a setting that workflows can change`);
      if (this.variables.get(key) !== undefined)
        throw new SettingsError(`${key} is set by the variable ${setting.variable}`);
      changed.set(key, readSetting(setting, value, key));
    }
    if ([...changed].every(([key, value]) => value === this.stored.get(key))) return false;
    this.documents?.set(DOCUMENT, Object.fromEntries(changed));
    this.stored = changed;
    return true;
  }
}

function readDocument(path: string, isOptional: boolean): Record<string, unknown> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (isOptional && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError(`The configuration file ${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return parse(content);
  } catch (error) {
    throw new SettingsError(`The configuration file ${path} is not valid TOML: ${(error as Error).message}`);
  }
}

/** Returns the values of nested objects with the path of each as its key. */
function entriesOf(values: Readonly<Record<string, unknown>>, at: string): [key: string, value: unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (PROTOTYPE_NAMES.has(name)) return [];
    return isObject(value) ? entriesOf(value, `${at}${name}.`) : [[`${at}${name}`, value]];
  });
}
