import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from '../../config/config.js';

/** Private key and certificate of the listener for MQTT over TLS, in PEM. */
export interface ServerCertificate {
  key: string;
  cert: string;
}

/** Reads the configured files. Throws a `ConfigError` that names the setting if they are no key and certificate. */
export async function readServerCertificate({
  MQTT_TLS_KEY_FILE: keyFile = '',
  MQTT_TLS_CERT_FILE: certFile = '',
}: Config): Promise<ServerCertificate> {
  const [key, cert] = await Promise.all([
    textOf('MQTT_TLS_KEY_FILE', keyFile),
    textOf('MQTT_TLS_CERT_FILE', certFile),
  ]);
  try {
    createSecureContext({ key, cert });
  } catch {
    throw new ConfigError(
      'MQTT_TLS_KEY_FILE and MQTT_TLS_CERT_FILE must contain a private key and its certificate in PEM',
    );
  }
  return { key, cert };
}

async function textOf(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${setting}: ${(error as Error).message}`);
  }
}
