import { readFileSync } from 'node:fs';
import { MQTT_URL } from './external-brokers.js';
import type { AgentSettings } from './agent-settings.js';
import { SETTINGS_BY_KEY, SettingsError } from './settings.js';

/** How the agent connects to the platform. */
export interface PlatformConfig {
  readonly url: string;
  readonly deviceId: string;
  readonly key: string;
  readonly secret: string;
  /** Authority to trust instead of the usual ones, in PEM. */
  readonly ca?: string;
}

/** Server of the agent: its web server, or its broker. */
export interface ServerConfig {
  readonly port: number;
  readonly address: string;
  /** Credentials that clients must have, if any. */
  readonly basic?: { readonly username: string; readonly password: string };
  readonly tls?: TlsConfig;
}

/** In PEM. `cert` includes the intermediate certificates. */
export interface TlsConfig {
  readonly key: string;
  readonly cert: string;
  /** Authority of which clients must have a certificate. */
  readonly clientCa?: string;
}

/** Returns how to connect to the platform, or `undefined` if a required setting is absent. Throws a `SettingsError`. */
export function platformConfig(settings: AgentSettings): PlatformConfig | undefined {
  const [url, deviceId, key, secret] = ['platform.url', 'gateway.id', 'gateway.key', 'gateway.secret'].map(
    (name) => settings.text(name),
  );
  if (url !== undefined && !MQTT_URL.test(url))
    throw new SettingsError('platform.url must be a URL such as mqtts://platform.example.com');
  if (deviceId !== undefined && !/^[a-f\d]{24}$/i.test(deviceId))
    throw new SettingsError('gateway.id must be the ID of a device, 24 hexadecimal digits');
  if (!url || !deviceId || !key || !secret) return undefined;
  const ca = contentOf(settings, 'platform.caPath');
  return { url, deviceId: deviceId.toLowerCase(), key, secret, ...(ca === undefined ? {} : { ca }) };
}

/** Returns a server's configuration, or `undefined` if it is disabled. Throws a `SettingsError`. */
export function serverConfig(
  settings: AgentSettings,
  name: 'localBroker' | 'webserver',
): ServerConfig | undefined {
  if (settings.get(`${name}.enabled`) !== true) return undefined;
  const [username, password] = [settings.text(`${name}.username`), settings.text(`${name}.password`)];
  const key = pem(settings, `${name}.ssl.key`);
  const cert = pem(settings, `${name}.ssl.certificate`);
  const bundle = pem(settings, `${name}.ssl.bundle`);
  if ((key === undefined) !== (cert === undefined))
    throw new SettingsError(`${name}.ssl must have both a key and a certificate, or neither`);
  if (bundle !== undefined && key === undefined)
    throw new SettingsError(`${name}.ssl.bundle needs a key and a certificate`);
  const clientCa = contentOf(settings, `${name}.ssl.clientCaPath`);
  if (clientCa !== undefined && key === undefined)
    throw new SettingsError(`${name}.ssl.clientCaPath needs a key and a certificate`);
  const tls = key !== undefined &&
    cert !== undefined && {
      key,
      cert: bundle === undefined ? cert : `${cert.trimEnd()}\n${bundle}`,
      ...(clientCa === undefined ? {} : { clientCa }),
    };
  return {
    port: Number(settings.get(`${name}.port`)),
    address: settings.text(`${name}.address`)!,
    ...(username || password ? { basic: { username: username ?? '', password: password ?? '' } } : {}),
    ...(tls ? { tls } : {}),
  };
}

/** Returns a PEM text that is set, or the content of the file that is set. */
function pem(settings: AgentSettings, key: string): string | undefined {
  return settings.text(key) ?? contentOf(settings, `${key}Path`);
}

function contentOf(settings: AgentSettings, key: string): string | undefined {
  const path = settings.text(key);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { variable } = SETTINGS_BY_KEY.get(key)!;
    throw new SettingsError(`${key} (${variable}) cannot be read: ${(error as Error).message}`);
  }
}
