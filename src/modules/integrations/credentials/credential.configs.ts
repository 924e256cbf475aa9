import type { JsonSchema } from '../../../platform/fields/fields.js';

export const CREDENTIAL_TYPES = [
  'aws',
  'azure',
  'gcp',
  'http',
  'sendgrid',
  'twilio',
  'loggly',
  'jwt',
  'whatsapp',
  'sql',
  'mongodb',
  'mailgun',
  'snowflake',
  'git',
  'datadog',
  'certificateKeyPair',
] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];
/** The members of a configuration. */
export type Config = Record<string, unknown>;

/** What a credential of a type consists of. */
interface ConfigFacts {
  about: string;
  /** What callers give and are shown. */
  open?: JsonSchema;
  /** What they give and nobody is shown. */
  secret?: JsonSchema;
  /** What they give only, and is no secret. */
  asked?: JsonSchema;
  /** What is worked out of the rest, and shown only. */
  derived?: JsonSchema;
  /** What a new one needs. */
  required: readonly string[];
  /** The same where the contract says it by alternatives; a rule demands it. */
  alsoRequired?: readonly string[];
  /** What is always shown. */
  shown: readonly string[];
}

const bounded = (maxLength: number, minLength: number, description: string, example: string): JsonSchema => ({
  type: 'string',
  ...(minLength ? { minLength } : {}),
  maxLength,
  description,
  example,
});
const hidden = (maxLength: number, minLength: number, description: string, example: string): JsonSchema => ({
  ...bounded(maxLength, minLength, `${description} Never shown.`, example),
  writeOnly: true,
});
const choice = (values: readonly string[], description: string, example: string): JsonSchema => ({
  type: 'string',
  enum: values,
  description,
  example,
});
const flag = (description: string): JsonSchema => ({ type: 'boolean', description, example: true });
const text = (description: string, example: string): JsonSchema => ({
  type: 'string',
  maxLength: 1024,
  description,
  example,
});
const time = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
  example: '2027-06-13T04:00:00.000Z',
});
const PEM = '-----BEGIN PRIVATE KEY-----\n…';
const PUBLIC_PEM = '-----BEGIN PUBLIC KEY-----\n…';

/** Every type. What is documented of a configuration, asked of it, kept of it and hidden of it follows from here. */
export const CONFIGS: Readonly<Record<CredentialType, ConfigFacts>> = {
  aws: {
    about: 'An access key of Amazon Web Services.',
    open: {
      accessKeyId: bounded(128, 16, 'The id of the key.', 'AKIAIOSFODNN7EXAMPLE'),
      region: bounded(128, 1, 'The region.', 'eu-central-1'),
    },
    secret: { secretAccessKey: hidden(128, 4, 'Its secret.', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY') },
    required: ['accessKeyId', 'secretAccessKey', 'region'],
    shown: ['accessKeyId', 'region'],
  },
  azure: {
    about: 'The key of an Azure account.',
    open: { account: bounded(128, 0, 'The account.', 'northfield') },
    secret: { accountKey: hidden(128, 4, 'Its key.', 'c2VjcmV0LWFjY291bnQta2V5') },
    required: ['accountKey'],
    shown: [],
  },
  gcp: {
    about: 'The key of a Google Cloud service account.',
    secret: {
      keyJson: hidden(8192, 1, 'The key file, a JSON object as text.', '{"type":"service_account"}'),
    },
    derived: {
      keyMetaJson: bounded(
        8192,
        1,
        'The key file without its `private_key`, JSON as text.',
        '{"type":"service_account"}',
      ),
    },
    required: ['keyJson'],
    shown: ['keyMetaJson'],
  },
  http: {
    about: 'What HTTP requests to matching addresses are sent with.',
    open: {
      uriMatch: bounded(1024, 8, 'The addresses that it is for.', 'https://api.example.com/*'),
      authMethod: choice(
        ['header', 'queryParam', 'basicAuth', 'clientCertificate'],
        'Where it goes: into a header, a parameter of the query, basic authentication, or the TLS connection.',
        'header',
      ),
      publicValue: bounded(
        8196,
        0,
        'The part that is no secret: the name of the header or parameter, the user, or the certificate.',
        'X-Api-Key',
      ),
    },
    secret: {
      secretValue: hidden(8196, 0, 'The value, the password, or the key of the certificate.', 'Zx8pQ4'),
    },
    required: ['uriMatch', 'authMethod', 'secretValue'],
    shown: ['uriMatch', 'authMethod', 'publicValue'],
  },
  sendgrid: {
    about: 'An API key of SendGrid.',
    secret: { apiKey: hidden(128, 4, 'The key.', 'SG.Zx8pQ4') },
    required: ['apiKey'],
    shown: [],
  },
  twilio: {
    about: 'An API key of Twilio.',
    open: {
      accountSid: bounded(128, 4, 'The account.', 'AC0123456789'),
      apiKeySid: bounded(128, 4, 'The id of the key; it is no secret.', 'SK0123456789'),
    },
    secret: { apiKeySecret: hidden(128, 4, 'The secret of the key.', 'Zx8pQ4') },
    required: ['accountSid', 'apiKeySid', 'apiKeySecret'],
    shown: ['accountSid', 'apiKeySid'],
  },
  loggly: {
    about: 'The token of a Loggly customer.',
    secret: { customerToken: hidden(128, 1, 'The token.', 'Zx8pQ4') },
    required: ['customerToken'],
    shown: [],
  },
  jwt: {
    about: 'What JSON Web Tokens are signed with.',
    open: {
      algorithm: choice(
        ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
        'How they are signed.',
        'HS256',
      ),
      issuer: bounded(1024, 0, 'Who issues them.', 'north-field'),
    },
    secret: { secret: hidden(4096, 1, 'The secret, or the private key in PEM.', 'Zx8pQ4') },
    required: ['algorithm', 'secret'],
    shown: ['algorithm'],
  },
  whatsapp: {
    about: 'A sender of WhatsApp messages.',
    open: { fromNumberId: bounded(128, 1, 'The id of the number.', '106540352242922') },
    secret: { accessToken: hidden(1024, 1, 'The access token.', 'EAAJB…') },
    required: ['accessToken', 'fromNumberId'],
    shown: ['fromNumberId'],
  },
  sql: {
    about: 'A user of an SQL database.',
    open: {
      system: choice(['mssql', 'mysql', 'pg'], 'The database system.', 'pg'),
      host: bounded(256, 1, 'The host.', 'db.example.com'),
      port: {
        type: 'integer',
        minimum: 1,
        maximum: 65_535,
        description: "The port; absent for the system's own.",
        example: 5432,
      },
      username: bounded(256, 1, 'The user.', 'reports'),
      secureConnection: flag('Whether the connection uses TLS.'),
      disableSSLVerification: flag("Whether the server's certificate is taken unchecked."),
      caCertificate: bounded(8196, 0, "The authority of the server's certificate, PEM.", PUBLIC_PEM),
    },
    secret: { password: hidden(256, 1, 'The password.', 'Correct-Horse-7') },
    required: ['system', 'host', 'username', 'password'],
    shown: ['system', 'host', 'username'],
  },
  mongodb: {
    about: 'A MongoDB database.',
    secret: {
      connectionUri: hidden(2048, 1, 'Its address, with user and password.', 'mongodb://db.example.com'),
    },
    required: ['connectionUri'],
    shown: [],
  },
  mailgun: {
    about: 'An API key of Mailgun.',
    secret: { apiKey: hidden(128, 4, 'The key.', 'key-Zx8pQ4') },
    required: ['apiKey'],
    shown: [],
  },
  snowflake: {
    about: 'A user of Snowflake, who signs in with a key pair.',
    open: {
      host: bounded(128, 1, 'The host.', 'north-field.snowflakecomputing.com'),
      username: bounded(128, 1, 'The user.', 'reports'),
    },
    secret: { privateKey: hidden(8196, 0, 'An RSA private key in PEM, without a password.', PEM) },
    asked: { generatePrivateKey: flag('Whether a new key pair is made, in place of `privateKey`.') },
    derived: {
      publicKey: bounded(8192, 1, 'The public key, PEM; to be set for the user in Snowflake.', PUBLIC_PEM),
    },
    required: [],
    alsoRequired: ['host', 'username'],
    shown: ['host', 'username', 'publicKey'],
  },
  git: {
    about: 'Access to a Git repository.',
    open: {
      type: choice(['ssh-key', 'http-password'], 'How one signs in.', 'ssh-key'),
      cloneUrl: bounded(1024, 5, 'The address of the repository.', 'git@git.example.com:north/field.git'),
      username: bounded(128, 0, 'The user.', 'git'),
      committerName: bounded(128, 0, 'Who commits.', 'North Field'),
      committerEmail: bounded(128, 0, 'Their address.', 'field@example.com'),
    },
    secret: { secretValue: hidden(8196, 0, 'The private key, or the password or token.', PEM) },
    asked: {
      generatePrivateKey: flag('Whether a new key pair is made, in place of `secretValue`; for `ssh-key`.'),
    },
    derived: {
      publicKey: bounded(
        8192,
        0,
        'The public key, as OpenSSH writes it, where it could be worked out; to be added to the repository.',
        'ssh-rsa AAAAB3…',
      ),
    },
    required: [],
    alsoRequired: ['type', 'cloneUrl'],
    shown: ['type', 'cloneUrl'],
  },
  datadog: {
    about: 'An API key of Datadog.',
    open: { site: bounded(128, 1, 'The site.', 'datadoghq.eu') },
    secret: { secretValue: hidden(256, 0, 'The key.', 'Zx8pQ4') },
    required: ['secretValue'],
    shown: [],
  },
  certificateKeyPair: {
    about: 'A certificate and its private key.',
    open: {
      certificate: bounded(8192, 0, 'The certificate, PEM.', '-----BEGIN CERTIFICATE-----\n…'),
    },
    secret: { privateKey: hidden(8196, 0, 'Its private key in PEM, without a password.', PEM) },
    derived: {
      info: {
        title: 'CertificateInfo',
        type: 'object',
        description: 'What the certificate says.',
        properties: {
          commonName: text('Whom it is of.', 'pumps.example.com'),
          issuerName: text('Who issued it.', 'North Field CA'),
          serialNumber: { ...text('Its serial number.', '01AB'), minLength: 1 },
          fingerprint: { ...text('Its SHA-256 fingerprint.', '8F:3C:…'), minLength: 1 },
          notValidBefore: time('From when on it holds.'),
          notValidAfter: time('Until when it holds.'),
        },
      },
    },
    required: ['certificate', 'privateKey'],
    shown: [],
  },
};

const titleOf = (type: CredentialType, suffix: string) =>
  `${type.charAt(0).toUpperCase()}${type.slice(1)}Config${suffix}`;
const schema = (title: string, description: string, properties: JsonSchema, required: readonly string[]) => ({
  title,
  type: 'object',
  additionalProperties: false,
  description,
  ...(required.length > 0 ? { required } : {}),
  properties,
});

/** A configuration as answers show it. */
export function shownSchema(type: CredentialType): JsonSchema {
  const { about, open, derived, shown } = CONFIGS[type];
  return schema(titleOf(type, ''), about, { ...open, ...derived }, shown);
}

/** A configuration as bodies give it; a port may be taken away again. */
export function givenSchema(type: CredentialType, isNew: boolean): JsonSchema {
  const { about, open, secret, asked, required } = CONFIGS[type];
  const port = open?.port ? { port: { ...(open.port as JsonSchema), nullable: true } } : {};
  const properties = { ...open, ...port, ...secret, ...asked };
  return schema(titleOf(type, isNew ? 'Post' : 'Patch'), about, properties, isNew ? required : []);
}
