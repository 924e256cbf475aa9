import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Documents } from '../store/documents.js';
import { Store } from '../store/store.js';
import { platformConfig, serverConfig } from './agent-config.js';
import { AgentSettings } from './agent-settings.js';
import { SETTINGS } from './settings.js';

const folder = mkdtempSync(join(tmpdir(), 'agent-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function written(content: string): string {
  const path = join(folder, `${files++}.toml`);
  writeFileSync(path, content);
  return path;
}

/** Settings with a configuration file and variables. */
const settingsOf = (toml: string, environment: Record<string, string> = {}): AgentSettings =>
  AgentSettings.read({ CONF_PATH: written(toml), ...environment });

const GATEWAY =
  '[gateway]\nid = "5e4c35e1d2f3a40007d9f3c5"\nkey = "k"\nsecret = "s"\n[platform]\nurl = "mqtts://platform.example.com"';

describe('Settings of the agent', () => {
  it('have unique keys and variables', () => {
    for (const name of ['key', 'variable'] as const)
      expect(new Set(SETTINGS.map((setting) => setting[name])).size).toBe(SETTINGS.length);
  });

  it('have defaults without a file and variables', () => {
    const settings = AgentSettings.read({});
    expect(settings.get('webserver.port')).toBe(8080);
    expect(settings.get('store.path')).toBe('/data/fieldwright-agent-store.db');
    expect(settings.get('gateway.id')).toBeUndefined();
    expect(platformConfig(settings)).toBeUndefined();
    expect(serverConfig(settings, 'localBroker')).toBeUndefined();
    expect(serverConfig(settings, 'webserver')).toEqual({ port: 8080, address: '0.0.0.0' });
  });

  it('come from the file, and variables win', () => {
    const settings = settingsOf(`${GATEWAY}\n[webserver]\nport = 9000\nusername = "u"`, {
      WEBSERVER_PORT: '9001',
      ACCESS_SECRET: ' other ',
      LOGGER_LEVEL: '',
    });
    expect(settings.get('webserver.port')).toBe(9001);
    expect(settings.get('logger.level')).toBe('info');
    expect(platformConfig(settings)).toEqual({
      url: 'mqtts://platform.example.com',
      deviceId: '5e4c35e1d2f3a40007d9f3c5',
      key: 'k',
      secret: 'other',
    });
    expect(serverConfig(settings, 'webserver')!.basic).toEqual({ username: 'u', password: '' });
  });

  it('show workflows the variables of others only', () => {
    const { environment } = settingsOf('', { DEVICE_ID: '5e4c35e1d2f3a40007d9f3c5', SITE: 'north' });
    expect(environment).toEqual({ SITE: 'north' });
  });

  it('name keys that no setting has', () => {
    const { unknownKeys } = settingsOf('colour = 1\n[webserver]\nprot = 1\nport = 2');
    expect(unknownKeys).toEqual(['colour', 'webserver.prot']);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a = ', {}, 'is not valid TOML'],
    ['[webserver]\nport = 70000', {}, 'webserver.port must be a port from 0 to 65535'],
    ['[webserver]\nport = 1.5', {}, 'webserver.port must be a port'],
    ['[webserver]\nenabled = 1', {}, 'webserver.enabled must be true or false'],
    ['[gateway]\nid = 5', {}, 'gateway.id must be a string'],
    ['', { WEBSERVER_PORT: 'x' }, 'WEBSERVER_PORT must be a port'],
    ['', { LOGGER_LEVEL: 'loud' }, 'LOGGER_LEVEL must be one of error, warn'],
    ['', { CONF_PATH: join(folder, 'missing') }, 'cannot be read'],
    ['externalBrokers = 1', {}, 'externalBrokers must be a table'],
    ['[externalBrokers.line]\nurl = "http://a"', {}, 'externalBrokers.line.url must be a URL such as mqtts'],
    ['[externalBrokers.line]\nurl = "mqtt://a"\nport = 1', {}, 'externalBrokers.line.port is not a property'],
    ['[externalBrokers.line]\nurl = "mqtt://a"\nkeyPath = "k"', {}, 'both certificatePath and keyPath'],
  ])('are refused with the name of the fault: %j %j', (toml, environment, message) => {
    expect(() => settingsOf(toml, environment)).toThrow(message);
  });

  it.each<[Record<string, string>, string]>([
    [{ DEVICE_ID: 'abc' }, 'gateway.id must be the ID of a device'],
    [{ PLATFORM_MQTT_URL: 'https://a' }, 'platform.url must be a URL such as mqtts://'],
    [{ PLATFORM_CA_PATH: join(folder, 'none') }, 'platform.caPath (PLATFORM_CA_PATH) cannot be read'],
  ])('of the platform are checked: %j', (environment, message) => {
    expect(() => platformConfig(settingsOf(GATEWAY, environment))).toThrow(message);
  });

  it('of TLS are texts or files, with intermediate certificates', () => {
    const path = written('CERT\n');
    const environment = {
      WEBSERVER_SSL_KEY: 'KEY',
      WEBSERVER_SSL_CERT_PATH: path,
      WEBSERVER_SSL_BUNDLE: 'CA',
    };
    expect(serverConfig(settingsOf('', environment), 'webserver')!.tls).toEqual({
      key: 'KEY',
      cert: 'CERT\nCA',
    });
    expect(() => serverConfig(settingsOf('', { WEBSERVER_SSL_KEY: 'KEY' }), 'webserver')).toThrow(
      'webserver.ssl must have both a key and a certificate',
    );
  });

  describe('that workflows set', () => {
    let store: Store;
    beforeEach(async () => {
      store = await Store.open(join(folder, `${files++}`, 'store.db'));
    });
    afterEach(() => store.close());

    it('win over the file, lose against variables, and survive', () => {
      const read = (): AgentSettings => {
        const settings = settingsOf(GATEWAY, { ACCESS_KEY: 'fixed' });
        settings.attach(new Documents(store));
        return settings;
      };
      expect(read().set({ 'gateway.id': '5E4C35E1D2F3A40007D9F3C6', gateway: { secret: 'new' } })).toBe(true);
      const settings = read();
      expect(settings.set({ 'gateway.secret': 'new' })).toBe(false);
      expect(platformConfig(settings)).toMatchObject({
        deviceId: '5e4c35e1d2f3a40007d9f3c6',
        key: 'fixed',
        secret: 'new',
      });
      expect(settings.all()).toMatchObject({
        gateway: { key: 'fixed', secret: 'new' },
        webserver: { port: 8080 },
      });
    });

    it('change all together or not at all', () => {
      const settings = settingsOf(GATEWAY, { ACCESS_KEY: 'fixed' });
      settings.attach(new Documents(store));
      for (const [values, message] of [
        [{ 'gateway.secret': 'x', 'gateway.key': 'y' }, 'gateway.key is set by the variable ACCESS_KEY'],
        [
          { 'gateway.secret': 'x', 'store.path': '/x' },
          'store.path is not a setting that workflows can change',
        ],
        [{ 'gateway.secret': 'x', colour: 1 }, 'colour is not a setting'],
        [{ 'gateway.secret': 'x', 'webserver.port': 'a' }, 'webserver.port must be a port'],
      ] as const) {
        expect(() => settings.set(values)).toThrow(message);
        expect(settings.get('gateway.secret')).toBe('s');
      }
    });
  });
});
