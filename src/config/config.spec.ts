import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadTokenKey } from '../lib/crypto/keys.js';
import { Config, ConfigError } from './config.js';

type Name = keyof typeof defaults;
const defaults = Config.describe();
const names = Object.keys(defaults) as Name[];

describe('Config.from', () => {
  it('applies all defaults if nothing is set', () => {
    const config = Config.from({});
    for (const name of names) expect([name, config[name]]).toEqual([name, defaults[name]]);
    expect(config).toMatchObject({
      publicUrl: 'http://127.0.0.1:3000',
      dataDir: resolve('var'),
      roles: new Set(['api', 'worker', 'engine', 'broker', 'sites']),
    });
    expect(config.blobUrl).toBe(pathToFileURL(resolve('var', 'blobs')).href);
  });

  it('treats a blank value as absent', () => {
    const blank = Object.fromEntries(names.map((name) => [name, '  ']));
    expect(Config.from(blank)).toEqual(Config.from({}));
  });

  it('ignores unknown variables and whitespace around values', () => {
    const config = Config.from({
      PORT: ' 8080 ',
      PATH: '/bin',
      PORTS: 'x',
      constructor: 'x',
      dataDir: 'x',
      publicUrl: 'x',
    });
    expect(config.PORT).toBe(8080);
    expect(Object.keys(config)).toEqual(expect.arrayContaining(Object.keys(Config.from({}))));
    expect(config).not.toHaveProperty('PATH');
    expect(config.dataDir).toBe(resolve('var'));
  });

  const accepted: [Name, string, unknown?][] = [
    ['PORT', '0', 0],
    ['PORT', '65535', 65535],
    ['HOST', '::1'],
    ['PUBLIC_URL', 'https://api.example.com/base'],
    ['PUBLIC_URL', 'http://localhost:8080'],
    ['DATABASE_URL', 'postgres://user:password@db:5432/fieldwright'],
    ['DATABASE_URL', 'postgresql://user@127.0.0.1/x?sslmode=require'],
    ['REDIS_URL', 'redis://:password@127.0.0.1:6379'],
    ['REDIS_URL', 'rediss://user:password@redis:6380/1'],
    ['BLOB_URL', 'file:blobs'],
    ['BLOB_URL', 's3://bucket/prefix'],
    ['S3_ENDPOINT', 'http://s3:9000'],
    ['SMTP_URL', 'smtps://user:password@mail.example.com:465'],
    ['SMTP_URL', 'smtp://mail:1025'],
    ['ADMIN_PASSWORD', 'Correct-Horse-7'],
    ['SECRETS_KEY', Buffer.alloc(32, 7).toString('base64')],
    ['CODEHOST_API_URL', 'http://codehost:3000/api/v3'],
    ['TEMPLATES_DIR', '/srv/templates'],
    ['PROCESS_ROLE', 'worker'],
    ['PROCESS_ROLE', 'api , worker, engine,broker, sites'],
    ['MQTT_PORT', '0', 0],
    ['SITES_DOMAIN', 'sites.example.com'],
    ['SITES_URL', 'https://localhost:8443'],
    ['SITES_TLS_PORT', '443', 443],
    ['REQUESTS_PER_SITE', '0', 0],
    ['TOPIC_PREFIX', 'acme_1-x'],
    ['METRICS_PUBLIC', 'true', true],
    ['HTTP_FAST_PATH', 'false', false],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://app.example.com,http://localhost:8080 , capacitor://localhost'],
    ['CALLBACK_ORIGINS', 'http://erp.internal:8080, https://10.0.0.1'],
    ['WORKFLOW_ORIGINS', 'http://plc.internal:8080, tcp://db.internal:5432'],
    ['FUNCTION_ENGINE', 'v8'],
    ['EXPORT_INTERVAL', '0', 0],
    ['TRUST_PROXY', '2', 2],
    ['CLIENT_CERTIFICATE_PROXIES', '10.0.0.5, 10.1.0.0/28,2001:db8::/64'],
    ['LOG_LEVEL', 'silent'],
    ['LOG_FORMAT', 'text'],
  ];
  it.each(accepted)('accepts %s=%s', (name, text, value = text) => {
    expect(Config.from({ [name]: text })[name]).toBe(value);
  });

  const refused: [Name, string][] = [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['REDIS_URL', 'localhost'],
    ['BLOB_URL', '/srv/blobs'],
    ['BLOB_URL', 'file:'],
    ['BLOB_URL', 's3://B'],
    ['S3_ENDPOINT', 's3.internal:9000'],
    ['SMTP_URL', 'mail.example.com'],
    ['MAIL_FROM', 'fieldwright'],
    ['ADMIN_EMAIL', 'admin'],
    ['ADMIN_EMAIL', '\u212aarl@example.com'],
    ['ADMIN_PASSWORD', 'password'],
    ['ADMIN_PASSWORD', 'only-lower-case-1'],
    ['TOKEN_PRIVATE_KEY', 'secret'],
    ['SECRETS_KEY', Buffer.alloc(16, 7).toString('base64')],
    ['SECRETS_KEY', 'hunter2'],
    ['CODEHOST_API_URL', 'api.github.com'],
    ['PROCESS_ROLE', 'web'],
    ['PROCESS_ROLE', 'API'],
    ['PROCESS_ROLE', 'api,'],
    ['PROCESS_ROLE', 'api,web'],
    ['PROCESS_ROLE', 'all,api'],
    ['SITES_DOMAIN', 'Sites.example.com'],
    ['SITES_DOMAIN', 'sites.example.com:3001'],
    ['SITES_URL', 'https://sites.example.com'],
    ['SITES_URL', 'localhost'],
    ['SITES_URL', 'ws://localhost'],
    ['SITES_TLS_PORT', '-1'],
    ['REQUESTS_PER_SITE', '-1'],
    ['TOPIC_PREFIX', 'acme/devices'],
    ['TOPIC_PREFIX', '#'],
    ['MQTT_PORT', 'mqtt'],
    ['MQTT_CLIENTS', '0'],
    ['METRICS_PUBLIC', 'yes'],
    ['HTTP_FAST_PATH', '1'],
    ['CORS_ORIGINS', 'app.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com/'],
    ['CORS_ORIGINS', 'https://app.example.com,'],
    ['CORS_ORIGINS', '*, https://app.example.com'],
    ['CALLBACK_ORIGINS', 'erp.internal'],
    ['CALLBACK_ORIGINS', 'http://erp.internal/hook'],
    ['WORKFLOW_ORIGINS', 'plc.internal'],
    ['WORKFLOW_ORIGINS', 'tcp://db.internal'],
    ['FUNCTION_ENGINE', 'node'],
    ['EXPORT_INTERVAL', '-1'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', 'true'],
    ['CLIENT_CERTIFICATE_PROXIES', 'proxy.internal'],
    ['CLIENT_CERTIFICATE_PROXIES', '10.0.0.5,'],
    ['CLIENT_CERTIFICATE_PROXIES', '10.0.0.0/33'],
    ['CLIENT_CERTIFICATE_PROXIES', '*'],
    ['LOG_LEVEL', 'verbose'],
    ['LOG_FORMAT', 'pretty'],
  ];
  it.each(refused)('rejects %s=%s with a message that names the variable', (name, text) => {
    const refusal = messageOf({ [name]: text });
    expect(refusal).toMatch(new RegExp(`^The configuration is not valid: ${name} [^;]+\\.$`));
  });

  it('names all invalid variables without showing their values', () => {
    const refusal = messageOf({ PORT: 'x', ADMIN_PASSWORD: 'hunter2', LOG_LEVEL: 'loud' });
    for (const name of ['PORT', 'ADMIN_PASSWORD', 'LOG_LEVEL']) expect(refusal).toContain(name);
    expect(refusal).not.toContain('hunter2');
  });

  it('requires the files of a certificate for MQTT over TLS', () => {
    const files = { MQTT_TLS_KEY_FILE: 'key.pem', MQTT_TLS_CERT_FILE: 'cert.pem' };
    expect(Config.from({ MQTT_TLS_PORT: '8883', ...files }).MQTT_TLS_PORT).toBe(8883);
    expect(messageOf({ MQTT_TLS_PORT: '8883', MQTT_TLS_KEY_FILE: 'key.pem' })).toContain(
      'MQTT_TLS_CERT_FILE must be a file if MQTT_TLS_PORT is set',
    );
  });

  it('accepts a private key whose line breaks are written as \\n', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { TOKEN_PRIVATE_KEY: configured, dataDir } = Config.from({
      TOKEN_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
    });
    expect(loadTokenKey({ configured, dataDir }).equals(privateKey)).toBe(true);
  });

  it('derives addresses and roles', () => {
    expect(Config.from({ PUBLIC_URL: 'https://api.example.com/' }).publicUrl).toBe('https://api.example.com');
    expect(Config.from({ HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]:80');
    expect(Config.from({ PROCESS_ROLE: 'api' }).roles).toEqual(new Set(['api']));
    expect(Config.from({ PROCESS_ROLE: 'worker' }).roles).toEqual(new Set(['worker']));
    expect(Config.from({ PROCESS_ROLE: 'worker, api' }).roles).toEqual(new Set(['api', 'worker']));
  });

  it('derives the URLs of sites and of their files', () => {
    const config = Config.from({ SITES_PORT: '8080' });
    expect(config.siteUrl('acme')).toBe('http://acme.localhost:8080');
    expect(config.publicFilesUrl).toBe('http://127.0.0.1:8080/files');
    expect(Config.from({ PUBLIC_URL: 'https://api.example.com' }).publicFilesUrl).toBe(
      'https://api.example.com/files',
    );
    const served = Config.from({
      SITES_URL: 'https://sites.example.com/',
      SITES_DOMAIN: 'sites.example.com',
    });
    expect(served.siteUrl('acme')).toBe('https://acme.sites.example.com');
    expect(served.publicFilesUrl).toBe('https://files.sites.example.com/files');
    expect(Config.from({ PUBLIC_FILES_URL: 'https://files.example.com/' }).publicFilesUrl).toBe(
      'https://files.example.com/files',
    );
  });

  it('requires the key of sites with the certificate', () => {
    expect(messageOf({ SITES_TLS_CERT: 'site.pem' })).toContain(
      'SITES_TLS_KEY is required with SITES_TLS_CERT',
    );
    expect(messageOf({ SITES_TLS_KEY: 'site.key' })).toContain(
      'SITES_TLS_CERT is required with SITES_TLS_KEY',
    );
  });

  it('lists the roles if PROCESS_ROLE has another one', () => {
    expect(messageOf({ PROCESS_ROLE: 'api,web' })).toContain(
      'PROCESS_ROLE must be all, or one or more of api, worker, engine, broker, sites, separated by commas',
    );
  });
});

describe('.env.example', () => {
  const blocks = readFileSync('.env.example', 'utf8').trim().split('\n\n').slice(1);
  const entries = blocks.map(
    (block) =>
      /^# (?<text>[A-Z][^\n]+[.])\n# (?<name>[A-Z0-9_]+)=(?<value>[^\n]*)$/.exec(block)?.groups ?? { block },
  );

  it('lists each variable once, with a line that explains it', () => {
    expect(entries.map(({ name, block }) => name ?? block)).toEqual(
      names.toSorted((a, b) => place(a) - place(b)),
    );
    expect(entries).toHaveLength(names.length);
  });

  it('shows the defaults', () => {
    const shown = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
    const real = Object.fromEntries(
      names.map((name) => [
        name,
        defaults[name] === undefined ? '' : `${defaults[name] as string | number | boolean}`,
      ]),
    );
    expect(shown).toEqual(real);
  });

  /** Position of the variable in the file. */
  function place(name: string): number {
    const index = entries.findIndex((entry) => entry.name === name);
    return index < 0 ? Infinity : index;
  }
});

function messageOf(env: Record<string, string>): string {
  try {
    Config.from(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('The configuration was taken');
}
