import type { JsonSchema } from '../../../platform/fields/fields.js';
import {
  choiceSchema,
  closedSchema,
  flagSchema,
  hiddenSchema,
  portSchema,
  textSchema,
  timeSchema,
} from '../../../platform/fields/schema.js';
import { TypedConfigs } from '../../../platform/sealed/typed-configs.js';
import { CREDENTIAL_TYPES, type ConfigDefinition, type CredentialType } from './credential-types.js';

const PEM = '-----BEGIN PRIVATE KEY-----\n…';
const PUBLIC_PEM = '-----BEGIN PUBLIC KEY-----\n…';

/**
 * Every credential type. The schemas, the validation and the split into public and secret properties derive from this
 * table.
 */
export const CONFIGS: Readonly<Record<CredentialType, ConfigDefinition>> = {
  aws: {
    about: 'An access key of Amazon Web Services (AWS).',
    open: {
      accessKeyId: textSchema('ID of the AWS access key.', 'AKIAIOSFODNN7EXAMPLE', {
        minLength: 16,
        maxLength: 128,
      }),
      region: textSchema('AWS region, such as `eu-central-1`.', 'eu-central-1', {
        minLength: 1,
        maxLength: 128,
      }),
    },
    secret: {
      secretAccessKey: hiddenSchema(
        'Secret of the AWS access key.',
        'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        { minLength: 4, maxLength: 128 },
      ),
    },
    destination: ['accessKeyId', 'region'],
    required: ['accessKeyId', 'secretAccessKey', 'region'],
    returned: ['accessKeyId', 'region'],
  },
  azure: {
    about: 'The key of an Azure storage account.',
    open: { account: textSchema('Name of the Azure storage account.', 'northfield', { maxLength: 128 }) },
    secret: {
      accountKey: hiddenSchema('Key of the Azure storage account.', 'c2VjcmV0LWFjY291bnQta2V5', {
        minLength: 4,
        maxLength: 128,
      }),
    },
    destination: ['account'],
    required: ['accountKey'],
    returned: [],
  },
  gcp: {
    about: 'A key of a Google Cloud service account.',
    secret: {
      keyJson: hiddenSchema(
        'Contents of the key file, a JSON object as text.',
        '{"type":"service_account"}',
        { minLength: 1, maxLength: 8192 },
      ),
    },
    derived: {
      keyMetaJson: textSchema(
        'Contents of the key file without `private_key`, as JSON text.',
        '{"type":"service_account"}',
        { minLength: 1, maxLength: 8192 },
      ),
    },
    destination: [],
    required: ['keyJson'],
    returned: ['keyMetaJson'],
  },
  http: {
    about: 'A credential for HTTP requests to matching URLs.',
    open: {
      uriMatch: textSchema(
        'Pattern of the URLs that the credential applies to.',
        'https://api.example.com/*',
        { minLength: 8, maxLength: 1024 },
      ),
      authMethod: choiceSchema(
        ['header', 'queryParam', 'basicAuth', 'clientCertificate'],
        'How the credential is sent: in a header, in a query parameter, with basic authentication, or as a TLS client certificate.',
        'header',
      ),
      publicValue: textSchema(
        'Public part of the credential: the name of the header or query parameter, the username, or the client certificate.',
        'X-Api-Key',
        { maxLength: 8196 },
      ),
    },
    secret: {
      secretValue: hiddenSchema(
        'Secret part of the credential: the value, the password, or the private key of the client certificate.',
        'Zx8pQ4',
        { maxLength: 8196 },
      ),
    },
    destination: ['uriMatch', 'authMethod', 'publicValue'],
    required: ['uriMatch', 'authMethod', 'secretValue'],
    returned: ['uriMatch', 'authMethod', 'publicValue'],
  },
  sendgrid: {
    about: 'An API key of SendGrid.',
    secret: { apiKey: hiddenSchema('SendGrid API key.', 'SG.Zx8pQ4', { minLength: 4, maxLength: 128 }) },
    destination: [],
    required: ['apiKey'],
    returned: [],
  },
  twilio: {
    about: 'An API key of Twilio.',
    open: {
      accountSid: textSchema('SID of the Twilio account.', 'AC0123456789', { minLength: 4, maxLength: 128 }),
      apiKeySid: textSchema('SID of the API key. It is not a secret.', 'SK0123456789', {
        minLength: 4,
        maxLength: 128,
      }),
    },
    secret: {
      apiKeySecret: hiddenSchema('Secret of the Twilio API key.', 'Zx8pQ4', { minLength: 4, maxLength: 128 }),
    },
    destination: ['accountSid', 'apiKeySid'],
    required: ['accountSid', 'apiKeySid', 'apiKeySecret'],
    returned: ['accountSid', 'apiKeySid'],
  },
  loggly: {
    about: 'The token of a Loggly customer.',
    secret: {
      customerToken: hiddenSchema('Loggly customer token.', 'Zx8pQ4', { minLength: 1, maxLength: 128 }),
    },
    destination: [],
    required: ['customerToken'],
    returned: [],
  },
  jwt: {
    about: 'A key that signs JSON Web Tokens (JWT).',
    open: {
      algorithm: choiceSchema(
        ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
        'Signature algorithm.',
        'HS256',
      ),
      issuer: textSchema('Issuer of the tokens (`iss`).', 'north-field', { maxLength: 1024 }),
    },
    secret: {
      secret: hiddenSchema(
        'Shared secret for `HS*` algorithms, or the private key in PEM format for the others.',
        'Zx8pQ4',
        { minLength: 1, maxLength: 4096 },
      ),
    },
    destination: [],
    required: ['algorithm', 'secret'],
    returned: ['algorithm'],
  },
  whatsapp: {
    about: 'A sender of WhatsApp messages.',
    open: {
      fromNumberId: textSchema('ID of the phone number that sends messages.', '106540352242922', {
        minLength: 1,
        maxLength: 128,
      }),
    },
    secret: {
      accessToken: hiddenSchema('WhatsApp access token.', 'EAAJB…', { minLength: 1, maxLength: 1024 }),
    },
    destination: ['fromNumberId'],
    required: ['accessToken', 'fromNumberId'],
    returned: ['fromNumberId'],
  },
  sql: {
    about: 'A user of a SQL database.',
    open: {
      system: choiceSchema(
        ['mssql', 'mysql', 'pg'],
        'Database system: SQL Server (`mssql`), MySQL (`mysql`) or PostgreSQL (`pg`).',
        'pg',
      ),
      host: textSchema('Host name of the database server.', 'db.example.com', {
        minLength: 1,
        maxLength: 256,
      }),
      port: portSchema('Port of the database server. Defaults to the standard port of `system`.', 5432),
      username: textSchema('Name of the database user.', 'reports', { minLength: 1, maxLength: 256 }),
      secureConnection: flagSchema('Whether the connection uses TLS.'),
      disableSSLVerification: flagSchema("Whether to skip verification of the server's certificate."),
      caCertificate: textSchema(
        "Certificate of the authority that issued the server's certificate, in PEM format.",
        PUBLIC_PEM,
        { maxLength: 8196 },
      ),
    },
    secret: {
      password: hiddenSchema('Password of the database user.', 'Correct-Horse-7', {
        minLength: 1,
        maxLength: 256,
      }),
    },
    destination: [
      'system',
      'host',
      'port',
      'username',
      'secureConnection',
      'disableSSLVerification',
      'caCertificate',
    ],
    required: ['system', 'host', 'username', 'password'],
    returned: ['system', 'host', 'username'],
  },
  mongodb: {
    about: 'A connection to a MongoDB database.',
    secret: {
      connectionUri: hiddenSchema(
        'Connection URI, including username and password.',
        'mongodb://db.example.com',
        { minLength: 1, maxLength: 2048 },
      ),
    },
    destination: [],
    required: ['connectionUri'],
    returned: [],
  },
  mailgun: {
    about: 'An API key of Mailgun.',
    secret: { apiKey: hiddenSchema('Mailgun API key.', 'key-Zx8pQ4', { minLength: 4, maxLength: 128 }) },
    destination: [],
    required: ['apiKey'],
    returned: [],
  },
  snowflake: {
    about: 'A Snowflake user with key-pair authentication.',
    open: {
      host: textSchema('Host name of the Snowflake account.', 'north-field.snowflakecomputing.com', {
        minLength: 1,
        maxLength: 128,
      }),
      username: textSchema('Name of the Snowflake user.', 'reports', { minLength: 1, maxLength: 128 }),
    },
    secret: {
      privateKey: hiddenSchema('Unencrypted RSA private key in PEM format.', PEM, { maxLength: 8196 }),
    },
    writable: {
      generatePrivateKey: flagSchema('Whether to generate a new key pair instead of setting `privateKey`.'),
    },
    derived: {
      publicKey: textSchema('Public key in PEM format. Assign it to the user in Snowflake.', PUBLIC_PEM, {
        minLength: 1,
        maxLength: 8192,
      }),
    },
    destination: ['host', 'username'],
    required: [],
    requiredOnCreate: ['host', 'username'],
    returned: ['host', 'username', 'publicKey'],
  },
  git: {
    about: 'Access to a Git repository.',
    open: {
      type: choiceSchema(
        ['ssh-key', 'http-password'],
        'Authentication method: an SSH key, or a password or token over HTTP.',
        'ssh-key',
      ),
      cloneUrl: textSchema('Clone URL of the repository.', 'git@git.example.com:north/field.git', {
        minLength: 5,
        maxLength: 1024,
      }),
      username: textSchema('Name of the Git user.', 'git', { maxLength: 128 }),
      committerName: textSchema('Name of the committer.', 'North Field', { maxLength: 128 }),
      committerEmail: textSchema('Email address of the committer.', 'field@example.com', { maxLength: 128 }),
    },
    secret: { secretValue: hiddenSchema('Private key, or the password or token.', PEM, { maxLength: 8196 }) },
    writable: {
      generatePrivateKey: flagSchema(
        'Whether to generate a new key pair instead of setting `secretValue`. `ssh-key` only.',
      ),
    },
    derived: {
      publicKey: textSchema(
        'Public key in OpenSSH format, if it can be derived from the private key. Add it to the repository.',
        'ssh-rsa AAAAB3…',
        { maxLength: 8192 },
      ),
    },
    destination: ['type', 'cloneUrl', 'username'],
    required: [],
    requiredOnCreate: ['type', 'cloneUrl'],
    returned: ['type', 'cloneUrl'],
  },
  datadog: {
    about: 'An API key of Datadog.',
    open: {
      site: textSchema('Datadog site, such as `datadoghq.eu`.', 'datadoghq.eu', {
        minLength: 1,
        maxLength: 128,
      }),
    },
    secret: { secretValue: hiddenSchema('Datadog API key.', 'Zx8pQ4', { maxLength: 256 }) },
    destination: ['site'],
    required: ['secretValue'],
    returned: [],
  },
  certificateKeyPair: {
    about: 'A certificate and its private key.',
    open: {
      certificate: textSchema('Certificate in PEM format.', '-----BEGIN CERTIFICATE-----\n…', {
        maxLength: 8192,
      }),
    },
    secret: {
      privateKey: hiddenSchema('Unencrypted private key of the certificate, in PEM format.', PEM, {
        maxLength: 8196,
      }),
    },
    derived: {
      info: {
        title: 'CertificateInfo',
        type: 'object',
        description: 'Details of the certificate.',
        properties: {
          commonName: textSchema('Common name (CN) of the subject.', 'pumps.example.com', {
            maxLength: 1024,
          }),
          issuerName: textSchema(
            'Common name (CN) of the issuer, or its full distinguished name if there is no CN.',
            'North Field CA',
            { maxLength: 1024 },
          ),
          serialNumber: {
            ...textSchema('Serial number in hexadecimal.', '01AB', { maxLength: 1024 }),
            minLength: 1,
          },
          fingerprint: {
            ...textSchema('SHA-256 fingerprint of the certificate.', '8F:3C:…', { maxLength: 1024 }),
            minLength: 1,
          },
          notValidBefore: timeSchema('Start of the validity period, in UTC.'),
          notValidAfter: timeSchema('End of the validity period, in UTC.'),
        },
      },
    },
    destination: [],
    required: ['certificate', 'privateKey'],
    returned: [],
  },
};

const titleOf = (type: CredentialType, suffix: string) =>
  `${type.charAt(0).toUpperCase()}${type.slice(1)}Config${suffix}`;

export const CREDENTIAL_CONFIGS = new TypedConfigs<CredentialType>({
  name: 'credential',
  table: 'credentials',
  types: CREDENTIAL_TYPES,
  sampled: 'aws',
  destinationOf: (type) => CONFIGS[type].destination,
  schemaOf(type, place) {
    const { about, open, secret, writable, derived, required, returned } = CONFIGS[type];
    if (place === 'resource')
      return closedSchema(titleOf(type, ''), about, { ...open, ...derived }, returned);
    const isNew = place === 'post';
    // `null` removes the port.
    const port = open?.port ? { port: { ...(open.port as JsonSchema), nullable: true } } : {};
    const properties = { ...open, ...port, ...secret, ...writable };
    return closedSchema(titleOf(type, isNew ? 'Post' : 'Patch'), about, properties, isNew ? required : []);
  },
});
