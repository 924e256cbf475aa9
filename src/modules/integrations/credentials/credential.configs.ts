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
/** Properties of a configuration. */
export type Config = Record<string, unknown>;

/** Properties of the credentials of a type. */
interface ConfigFacts {
  about: string;
  /** Properties that callers set and responses include. */
  open?: JsonSchema;
  /** Properties that callers set and no response includes. */
  secret?: JsonSchema;
  /** Properties that callers set, which are neither secret nor returned. */
  asked?: JsonSchema;
  /** Read-only properties, derived from the others. */
  derived?: JsonSchema;
  /** Properties required at creation. */
  required: readonly string[];
  /** Also required at creation, but the API contract expresses it as alternatives; `demandWhole` enforces it. */
  alsoRequired?: readonly string[];
  /** Properties that every response includes. */
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
  ...bounded(maxLength, minLength, `${description} Never returned.`, example),
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

/**
 * Every credential type. The schemas, the validation and the split into public and secret properties derive from this
 * table.
 */
export const CONFIGS: Readonly<Record<CredentialType, ConfigFacts>> = {
  aws: {
    about: 'An access key of Amazon Web Services (AWS).',
    open: {
      accessKeyId: bounded(128, 16, 'ID of the AWS access key.', 'AKIAIOSFODNN7EXAMPLE'),
      region: bounded(128, 1, 'AWS region, such as `eu-central-1`.', 'eu-central-1'),
    },
    secret: {
      secretAccessKey: hidden(
        128,
        4,
        'Secret of the AWS access key.',
        'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      ),
    },
    required: ['accessKeyId', 'secretAccessKey', 'region'],
    shown: ['accessKeyId', 'region'],
  },
  azure: {
    about: 'The key of an Azure storage account.',
    open: { account: bounded(128, 0, 'Name of the Azure storage account.', 'northfield') },
    secret: { accountKey: hidden(128, 4, 'Key of the Azure storage account.', 'c2VjcmV0LWFjY291bnQta2V5') },
    required: ['accountKey'],
    shown: [],
  },
  gcp: {
    about: 'A key of a Google Cloud service account.',
    secret: {
      keyJson: hidden(
        8192,
        1,
        'Contents of the key file, a JSON object as text.',
        '{"type":"service_account"}',
      ),
    },
    derived: {
      keyMetaJson: bounded(
        8192,
        1,
        'Contents of the key file without `private_key`, as JSON text.',
        '{"type":"service_account"}',
      ),
    },
    required: ['keyJson'],
    shown: ['keyMetaJson'],
  },
  http: {
    about: 'A credential for HTTP requests to matching URLs.',
    open: {
      uriMatch: bounded(
        1024,
        8,
        'Pattern of the URLs that the credential applies to.',
        'https://api.example.com/*',
      ),
      authMethod: choice(
        ['header', 'queryParam', 'basicAuth', 'clientCertificate'],
        'How the credential is sent: in a header, in a query parameter, with basic authentication, or as a TLS client certificate.',
        'header',
      ),
      publicValue: bounded(
        8196,
        0,
        'Public part of the credential: the name of the header or query parameter, the username, or the client certificate.',
        'X-Api-Key',
      ),
    },
    secret: {
      secretValue: hidden(
        8196,
        0,
        'Secret part of the credential: the value, the password, or the private key of the client certificate.',
        'Zx8pQ4',
      ),
    },
    required: ['uriMatch', 'authMethod', 'secretValue'],
    shown: ['uriMatch', 'authMethod', 'publicValue'],
  },
  sendgrid: {
    about: 'An API key of SendGrid.',
    secret: { apiKey: hidden(128, 4, 'SendGrid API key.', 'SG.Zx8pQ4') },
    required: ['apiKey'],
    shown: [],
  },
  twilio: {
    about: 'An API key of Twilio.',
    open: {
      accountSid: bounded(128, 4, 'SID of the Twilio account.', 'AC0123456789'),
      apiKeySid: bounded(128, 4, 'SID of the API key. It is not a secret.', 'SK0123456789'),
    },
    secret: { apiKeySecret: hidden(128, 4, 'Secret of the Twilio API key.', 'Zx8pQ4') },
    required: ['accountSid', 'apiKeySid', 'apiKeySecret'],
    shown: ['accountSid', 'apiKeySid'],
  },
  loggly: {
    about: 'The token of a Loggly customer.',
    secret: { customerToken: hidden(128, 1, 'Loggly customer token.', 'Zx8pQ4') },
    required: ['customerToken'],
    shown: [],
  },
  jwt: {
    about: 'A key that signs JSON Web Tokens (JWT).',
    open: {
      algorithm: choice(
        ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
        'Signature algorithm.',
        'HS256',
      ),
      issuer: bounded(1024, 0, 'Issuer of the tokens (`iss`).', 'north-field'),
    },
    secret: {
      secret: hidden(
        4096,
        1,
        'Shared secret for `HS*` algorithms, or the private key in PEM format for the others.',
        'Zx8pQ4',
      ),
    },
    required: ['algorithm', 'secret'],
    shown: ['algorithm'],
  },
  whatsapp: {
    about: 'A sender of WhatsApp messages.',
    open: { fromNumberId: bounded(128, 1, 'ID of the phone number that sends messages.', '106540352242922') },
    secret: { accessToken: hidden(1024, 1, 'WhatsApp access token.', 'EAAJB…') },
    required: ['accessToken', 'fromNumberId'],
    shown: ['fromNumberId'],
  },
  sql: {
    about: 'A user of a SQL database.',
    open: {
      system: choice(
        ['mssql', 'mysql', 'pg'],
        'Database system: SQL Server (`mssql`), MySQL (`mysql`) or PostgreSQL (`pg`).',
        'pg',
      ),
      host: bounded(256, 1, 'Host name of the database server.', 'db.example.com'),
      port: {
        type: 'integer',
        minimum: 1,
        maximum: 65_535,
        description: 'Port of the database server. Defaults to the standard port of `system`.',
        example: 5432,
      },
      username: bounded(256, 1, 'Name of the database user.', 'reports'),
      secureConnection: flag('Whether the connection uses TLS.'),
      disableSSLVerification: flag("Whether to skip verification of the server's certificate."),
      caCertificate: bounded(
        8196,
        0,
        "Certificate of the authority that issued the server's certificate, in PEM format.",
        PUBLIC_PEM,
      ),
    },
    secret: { password: hidden(256, 1, 'Password of the database user.', 'Correct-Horse-7') },
    required: ['system', 'host', 'username', 'password'],
    shown: ['system', 'host', 'username'],
  },
  mongodb: {
    about: 'A connection to a MongoDB database.',
    secret: {
      connectionUri: hidden(
        2048,
        1,
        'Connection URI, including username and password.',
        'mongodb://db.example.com',
      ),
    },
    required: ['connectionUri'],
    shown: [],
  },
  mailgun: {
    about: 'An API key of Mailgun.',
    secret: { apiKey: hidden(128, 4, 'Mailgun API key.', 'key-Zx8pQ4') },
    required: ['apiKey'],
    shown: [],
  },
  snowflake: {
    about: 'A Snowflake user with key-pair authentication.',
    open: {
      host: bounded(128, 1, 'Host name of the Snowflake account.', 'north-field.snowflakecomputing.com'),
      username: bounded(128, 1, 'Name of the Snowflake user.', 'reports'),
    },
    secret: { privateKey: hidden(8196, 0, 'Unencrypted RSA private key in PEM format.', PEM) },
    asked: {
      generatePrivateKey: flag('Whether to generate a new key pair instead of setting `privateKey`.'),
    },
    derived: {
      publicKey: bounded(
        8192,
        1,
        'Public key in PEM format. Assign it to the user in Snowflake.',
        PUBLIC_PEM,
      ),
    },
    required: [],
    alsoRequired: ['host', 'username'],
    shown: ['host', 'username', 'publicKey'],
  },
  git: {
    about: 'Access to a Git repository.',
    open: {
      type: choice(
        ['ssh-key', 'http-password'],
        'Authentication method: an SSH key, or a password or token over HTTP.',
        'ssh-key',
      ),
      cloneUrl: bounded(1024, 5, 'Clone URL of the repository.', 'git@git.example.com:north/field.git'),
      username: bounded(128, 0, 'Name of the Git user.', 'git'),
      committerName: bounded(128, 0, 'Name of the committer.', 'North Field'),
      committerEmail: bounded(128, 0, 'Email address of the committer.', 'field@example.com'),
    },
    secret: { secretValue: hidden(8196, 0, 'Private key, or the password or token.', PEM) },
    asked: {
      generatePrivateKey: flag(
        'Whether to generate a new key pair instead of setting `secretValue`. `ssh-key` only.',
      ),
    },
    derived: {
      publicKey: bounded(
        8192,
        0,
        'Public key in OpenSSH format, if it can be derived from the private key. Add it to the repository.',
        'ssh-rsa AAAAB3…',
      ),
    },
    required: [],
    alsoRequired: ['type', 'cloneUrl'],
    shown: ['type', 'cloneUrl'],
  },
  datadog: {
    about: 'An API key of Datadog.',
    open: { site: bounded(128, 1, 'Datadog site, such as `datadoghq.eu`.', 'datadoghq.eu') },
    secret: { secretValue: hidden(256, 0, 'Datadog API key.', 'Zx8pQ4') },
    required: ['secretValue'],
    shown: [],
  },
  certificateKeyPair: {
    about: 'A certificate and its private key.',
    open: {
      certificate: bounded(8192, 0, 'Certificate in PEM format.', '-----BEGIN CERTIFICATE-----\n…'),
    },
    secret: {
      privateKey: hidden(8196, 0, 'Unencrypted private key of the certificate, in PEM format.', PEM),
    },
    derived: {
      info: {
        title: 'CertificateInfo',
        type: 'object',
        description: 'Details of the certificate.',
        properties: {
          commonName: text('Common name (CN) of the subject.', 'pumps.example.com'),
          issuerName: text(
            'Common name (CN) of the issuer, or its full distinguished name if there is no CN.',
            'North Field CA',
          ),
          serialNumber: { ...text('Serial number in hexadecimal.', '01AB'), minLength: 1 },
          fingerprint: { ...text('SHA-256 fingerprint of the certificate.', '8F:3C:…'), minLength: 1 },
          notValidBefore: time('Start of the validity period, in UTC.'),
          notValidAfter: time('End of the validity period, in UTC.'),
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

/** Returns the schema of a configuration in responses. */
export function shownSchema(type: CredentialType): JsonSchema {
  const { about, open, derived, shown } = CONFIGS[type];
  return schema(titleOf(type, ''), about, { ...open, ...derived }, shown);
}

/** Returns the schema of a configuration in request bodies. `null` removes the port. */
export function givenSchema(type: CredentialType, isNew: boolean): JsonSchema {
  const { about, open, secret, asked, required } = CONFIGS[type];
  const port = open?.port ? { port: { ...(open.port as JsonSchema), nullable: true } } : {};
  const properties = { ...open, ...port, ...secret, ...asked };
  return schema(titleOf(type, isNew ? 'Post' : 'Patch'), about, properties, isNew ? required : []);
}
