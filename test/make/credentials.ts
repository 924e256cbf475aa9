import { readFileSync } from 'node:fs';

export const pem = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}.pem`, import.meta.url), 'utf8');

/** Properties for creating a credential of each type: those returned as given, and secrets. */
export const CONFIGS: Readonly<
  Record<string, { shown: Readonly<Record<string, unknown>>; secret: Readonly<Record<string, string>> }>
> = {
  aws: {
    shown: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', region: 'eu-central-1' },
    secret: { secretAccessKey: 'hidden-aws' },
  },
  azure: { shown: { account: 'northfield' }, secret: { accountKey: 'hidden-azure' } },
  gcp: { shown: {}, secret: { keyJson: '{"type":"service_account","private_key":"hidden-gcp"}' } },
  http: {
    shown: { uriMatch: 'https://api.example.com/*', authMethod: 'header', publicValue: 'X-Key' },
    secret: { secretValue: 'hidden-http' },
  },
  sendgrid: { shown: {}, secret: { apiKey: 'hidden-sendgrid' } },
  twilio: { shown: { accountSid: 'AC01', apiKeySid: 'SK01' }, secret: { apiKeySecret: 'hidden-twilio' } },
  loggly: { shown: {}, secret: { customerToken: 'hidden-loggly' } },
  jwt: { shown: { algorithm: 'HS256', issuer: 'field' }, secret: { secret: 'hidden-jwt' } },
  whatsapp: { shown: { fromNumberId: '1065' }, secret: { accessToken: 'hidden-whatsapp' } },
  sql: {
    shown: { system: 'pg', host: 'db.example.com', port: 5432, username: 'reports', secureConnection: true },
    secret: { password: 'hidden-sql' },
  },
  mongodb: { shown: {}, secret: { connectionUri: 'mongodb://u:hidden-mongodb@db.example.com' } },
  mailgun: { shown: {}, secret: { apiKey: 'hidden-mailgun' } },
  snowflake: {
    shown: { host: 'field.example.com', username: 'reports' },
    secret: { privateKey: pem('idp-key') },
  },
  git: {
    shown: { type: 'http-password', cloneUrl: 'https://git.example.com/f.git', username: 'git' },
    secret: { secretValue: 'hidden-git' },
  },
  datadog: { shown: { site: 'datadoghq.eu' }, secret: { secretValue: 'hidden-datadog' } },
  certificateKeyPair: {
    shown: { certificate: pem('idp-cert') },
    secret: { privateKey: pem('idp-key') },
  },
};

/** Returns a request body that creates a credential of a type. */
export const credentialOf = (type: string, name = type) => ({
  name,
  type,
  [`${type}Config`]: { ...CONFIGS[type]!.shown, ...CONFIGS[type]!.secret },
});
