import { isObject } from '../../lib/json/json.js';
import { isTopicFilter } from '../../lib/mqtt/topic-filter.js';
import { SettingsError } from './settings.js';

/** Broker of somebody else that workflows publish and subscribe to. */
export interface ExternalBroker {
  readonly url: string;
  readonly clientId?: string;
  readonly username?: string;
  readonly password?: string;
  /** Files in PEM. */
  readonly caPath?: string;
  readonly certificatePath?: string;
  readonly keyPath?: string;
  /** Topic filters of which messages start the workflows with a trigger for this broker. */
  readonly topics?: readonly string[];
}

const MAX_BROKERS = 20;
const MAX_TOPICS = 100;
const MEMBERS = ['url', 'clientId', 'username', 'password', 'caPath', 'certificatePath', 'keyPath'] as const;
export const MQTT_URL = /^(mqtts?|wss?):\/\/[^\s/]+/i;

/** Reads the table `externalBrokers` of the configuration file, by name. Throws a `SettingsError`. */
export function readExternalBrokers(value: unknown): ReadonlyMap<string, ExternalBroker> {
  if (value === undefined) return new Map();
  if (!isObject(value)) throw new SettingsError('externalBrokers must be a table');
  const entries = Object.entries(value);
  if (entries.length > MAX_BROKERS)
    throw new SettingsError(`externalBrokers must have at most ${MAX_BROKERS} brokers`);
  return new Map(entries.map(([name, given]) => [name, readBroker(given, `externalBrokers.${name}`)]));
}

const isFilter = (value: unknown): boolean => typeof value === 'string' && isTopicFilter(value);

function readBroker(given: unknown, at: string): ExternalBroker {
  if (!isObject(given)) throw new SettingsError(`${at} must be a table`);
  const { topics = [], ...texts } = given;
  if (!Array.isArray(topics) || topics.length > MAX_TOPICS || !topics.every(isFilter))
    throw new SettingsError(`${at}.topics must be a list of at most ${MAX_TOPICS} topic filters`);
  for (const [member, value] of Object.entries(texts)) {
    if (!MEMBERS.some((known) => known === member))
      throw new SettingsError(`${at}.${member} is not a property of an external broker`);
    if (typeof value !== 'string') throw new SettingsError(`${at}.${member} must be a string`);
  }
  const broker = given as unknown as ExternalBroker;
  if (!MQTT_URL.test(broker.url ?? ''))
    throw new SettingsError(`${at}.url must be a URL such as mqtts://broker.example.com`);
  if ((broker.certificatePath === undefined) !== (broker.keyPath === undefined))
    throw new SettingsError(`${at} must have both certificatePath and keyPath, or neither`);
  return broker;
}
