/** Types of the values of settings. Paths are texts. */
export type SettingType = 'text' | 'flag' | 'port';

/** Setting of the agent: its key in the configuration file, and the variable that overrides it. */
export interface SettingDeclaration {
  readonly key: string;
  readonly variable: string;
  readonly type: SettingType;
  readonly default?: string | number | boolean;
  /** Allowed values of a text. */
  readonly choices?: readonly string[];
}

const text = (key: string, variable: string, standard?: string): SettingDeclaration => ({
  key,
  variable,
  type: 'text',
  ...(standard === undefined ? {} : { default: standard }),
});
const flag = (key: string, variable: string, standard: boolean): SettingDeclaration => ({
  key,
  variable,
  type: 'flag',
  default: standard,
});
const port = (key: string, variable: string, standard: number): SettingDeclaration => ({
  key,
  variable,
  type: 'port',
  default: standard,
});

/** Settings of a server of the agent, for its web server and its broker. */
const server = (key: string, variable: string, isEnabled: boolean, standardPort: number) => [
  flag(`${key}.enabled`, `${variable}_ENABLED`, isEnabled),
  port(`${key}.port`, `${variable}_PORT`, standardPort),
  text(`${key}.address`, `${variable}_ADDRESS`, '0.0.0.0'),
  text(`${key}.username`, `${variable}_USERNAME`),
  text(`${key}.password`, `${variable}_PASSWORD`),
  text(`${key}.ssl.key`, `${variable}_SSL_KEY`),
  text(`${key}.ssl.keyPath`, `${variable}_SSL_KEY_PATH`),
  text(`${key}.ssl.certificate`, `${variable}_SSL_CERT`),
  text(`${key}.ssl.certificatePath`, `${variable}_SSL_CERT_PATH`),
  text(`${key}.ssl.bundle`, `${variable}_SSL_BUNDLE`),
  text(`${key}.ssl.bundlePath`, `${variable}_SSL_BUNDLE_PATH`),
];

/** Long enough for a certificate with intermediate ones. */
const MAX_LENGTH = 65_536;

const LEVELS = ['error', 'warn', 'info', 'verbose', 'debug'];

/** All settings. Variables win over the values that workflows have set, and these over the configuration file. */
export const SETTINGS: readonly SettingDeclaration[] = [
  text('gateway.id', 'DEVICE_ID'),
  text('gateway.key', 'ACCESS_KEY'),
  text('gateway.secret', 'ACCESS_SECRET'),
  text('platform.url', 'PLATFORM_MQTT_URL'),
  text('platform.caPath', 'PLATFORM_CA_PATH'),
  text('platform.topicPrefix', 'TOPIC_PREFIX', 'fieldwright'),
  text('logger.out', 'LOGGER_OUT', 'console'),
  { ...text('logger.level', 'LOGGER_LEVEL', 'info'), choices: LEVELS },
  text('store.path', 'STORE_PATH', '/data/fieldwright-agent-store.db'),
  text('workflows.path', 'WORKFLOWS_PATH', '/data/workflows'),
  flag('queue.enabled', 'QUEUE_ENABLED', true),
  ...server('webserver', 'WEBSERVER', true, 8080),
  ...server('localBroker', 'LOCAL_BROKER', false, 1883),
  text('localBroker.ssl.clientCaPath', 'LOCAL_BROKER_SSL_CLIENT_CA_PATH'),
];

/** Declarations by key. */
export const SETTINGS_BY_KEY: ReadonlyMap<string, SettingDeclaration> = new Map(
  SETTINGS.map((setting) => [setting.key, setting]),
);
/** Names of the agent's own variables, which workflows do not see. */
export const OWN_VARIABLES: ReadonlySet<string> = new Set([
  'CONF_PATH',
  ...SETTINGS.map(({ variable }) => variable),
]);

/** Value of a setting, `undefined` if it has none. */
export type SettingValue = string | number | boolean | undefined;

/** Settings that are invalid. The message names the key or the variable. */
export class SettingsError extends Error {}

/**
 * Reads a value. Variables and workflows have numbers and flags as texts. Throws a `SettingsError` that names the value
 * `at`. A blank text means that there is no value.
 */
export function readSetting({ type, choices }: SettingDeclaration, value: unknown, at: string): SettingValue {
  if (value === '' || value === null || value === undefined) return undefined;
  switch (type) {
    case 'flag':
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      throw new SettingsError(`${at} must be true or false`);
    case 'port': {
      const text = typeof value === 'number' ? String(value) : value;
      const port = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : NaN;
      if (port >= 0 && port <= 65_535) return port;
      throw new SettingsError(`${at} must be a port from 0 to 65535`);
    }
    case 'text':
      if (typeof value !== 'string' || value.length > MAX_LENGTH)
        throw new SettingsError(`${at} must be a string of at most ${MAX_LENGTH} characters`);
      if (choices && !choices.includes(value))
        throw new SettingsError(`${at} must be one of ${choices.join(', ')}`);
      return value.trim();
  }
}
