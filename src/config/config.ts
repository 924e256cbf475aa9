import { plainToInstance, Transform } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAddressOrRange } from '../lib/http/address-filter.js';
import { ADDRESS, canonicalDomain, DOMAIN } from '../lib/mail/addresses.js';

/** Roles that a process can have. */
export const PROCESS_ROLES = ['api', 'worker', 'engine', 'broker', 'sites'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
const isRole = (name: string): name is ProcessRole => PROCESS_ROLES.some((role) => role === name);

const URL_OPTIONS = { require_tld: false, require_protocol: true };
const listed = (text?: string): string[] => text?.split(/\s*,\s*/) ?? [];
/** Scheme of a server that is not reached over HTTP. */
const TCP = /^tcp:\/\//i;
const toInteger = Transform(({ value }): unknown =>
  /^\d{1,9}$/.test(String(value)) ? Number(value) : value,
);
const hasTls = ({ MQTT_TLS_PORT }: Config): boolean => MQTT_TLS_PORT > 0;
const toBoolean = Transform(({ value }): unknown => ({ true: true, false: false })[String(value)] ?? value);

/** Invalid configuration. The message names every invalid variable. */
export class ConfigError extends Error {}

/**
 * Settings of the platform, read from the environment once and validated; no other code reads `process.env`. Field
 * names are the variable names; `.env.example` describes them for operators.
 */
export class Config {
  @toInteger @Max(65535) @Min(0) @IsInt() PORT = 3000;
  @IsString() @MinLength(1) HOST = '127.0.0.1';
  /** Public URL of the API. Default: `http://HOST:PORT`. */
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) PUBLIC_URL?: string;
  /** Public URL of files, on a separate host. Default: `PUBLIC_URL`. */
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) PUBLIC_FILES_URL?: string;
  @IsString() @MinLength(1) DATA_DIR = './var';
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['postgres', 'postgresql'] }) DATABASE_URL?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['redis', 'rediss'] }) REDIS_URL?: string;
  /** `file:` folder or `s3://bucket`. Default: a folder in `DATA_DIR`. */
  @IsOptional()
  @Matches(/^(file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?)$/, {
    message: '$property must be file:FOLDER or s3://BUCKET',
  })
  BLOB_URL?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) S3_ENDPOINT?: string;
  /** Stores that receive application archives instead of the public ones. They may be on private networks. */
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) ARCHIVE_S3_ENDPOINT?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) ARCHIVE_GCS_ENDPOINT?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) ARCHIVE_AZURE_ENDPOINT?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['smtp', 'smtps'] }) SMTP_URL?: string;
  @IsEmail({ require_tld: false }) MAIL_FROM = 'fieldwright@localhost.localdomain';
  @Matches(ADDRESS, { message: '$property must be an email address' }) ADMIN_EMAIL = 'admin@example.com';
  @IsOptional()
  @Matches(/^(?=.*[A-Z])(?=.*[^A-Za-z0-9])(?=.*[0-9])(?=.*[a-z]).{12,2048}$/, {
    message: '$property must have at least 12 characters with upper and lower case, a digit and a symbol',
  })
  ADMIN_PASSWORD?: string;
  /** EC P-256 private key in PEM. Default: generated once and stored in `DATA_DIR`. */
  @IsOptional()
  @Matches(/^-----BEGIN [A-Z ]*PRIVATE KEY-----/, { message: '$property must be a PEM private key' })
  TOKEN_PRIVATE_KEY?: string;
  /** 32 bytes in base64 for AES-256-GCM. Default: generated once and stored in `DATA_DIR`. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: '$property must be 32 bytes in base64' })
  SECRETS_KEY?: string;
  @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) CODEHOST_API_URL = 'https://api.github.com';
  @IsOptional() @IsString() @MinLength(1) TEMPLATES_DIR?: string;
  /** Comma-separated roles of this process; `all` for every role. */
  @ValidateBy({
    name: 'roles',
    validator: {
      validate: (text) => text === 'all' || listed(String(text)).every(isRole),
      defaultMessage: () =>
        `$property must be all, or one or more of ${PROCESS_ROLES.join(', ')}, separated by commas`,
    },
  })
  PROCESS_ROLE = 'all';
  @Matches(/^[a-zA-Z0-9_-]{1,64}$/, { message: '$property must be 1 to 64 letters, digits, _ or -' })
  TOPIC_PREFIX = 'fieldwright';
  /** Ports on `HOST` for MQTT over TCP, over TLS and over WebSockets; 0 disables each. */
  @toInteger @Max(65535) @Min(0) @IsInt() MQTT_PORT = 1883;
  @toInteger @Max(65535) @Min(0) @IsInt() MQTT_TLS_PORT = 0;
  @toInteger @Max(65535) @Min(0) @IsInt() MQTT_WS_PORT = 0;
  /** Files in PEM with the private key for MQTT over TLS and its certificate, followed by intermediate ones. */
  @ValidateIf(hasTls)
  @IsString({ message: '$property must be a file if MQTT_TLS_PORT is set' })
  MQTT_TLS_KEY_FILE?: string;
  @ValidateIf(hasTls)
  @IsString({ message: '$property must be a file if MQTT_TLS_PORT is set' })
  MQTT_TLS_CERT_FILE?: string;
  /** Maximum number of MQTT clients per process. */
  @toInteger @Max(999_999_999) @Min(1) @IsInt() MQTT_CLIENTS = 20_000;
  /** Maximum new MQTT connections of an application in 15 seconds; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() MQTT_CONNECTIONS_PER_APPLICATION = 300;
  /** Maximum messages of an MQTT client in 15 seconds, in total and on a topic; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() MQTT_MESSAGES_PER_CLIENT = 300;
  @toInteger @Max(999_999_999) @Min(0) @IsInt() MQTT_MESSAGES_PER_TOPIC = 30;
  /** Separate port for `/metrics` on `HOST`; 0 disables it. */
  @toInteger @Max(65535) @Min(0) @IsInt() METRICS_PORT = 0;
  /** Whether to serve `/metrics` on the public port. */
  @toBoolean @IsIn([true, false], { message: '$property must be true or false' }) METRICS_PUBLIC = false;
  /** Whether to serve the job queue dashboard to administrators at `/jobs-board`. */
  @toBoolean @IsIn([true, false], { message: '$property must be true or false' }) JOBS_BOARD = false;
  /** SMTP port on `HOST` for inbound mail to workflows; 0 disables it. */
  @toInteger @Max(65535) @Min(0) @IsInt() MAIL_IN_PORT = 0;
  /** Domain of the e-mail addresses of workflows. */
  @ValidateIf((config: Config) => config.MAIL_IN_PORT > 0 || config.MAIL_IN_DOMAIN !== undefined)
  @Matches(DOMAIN, {
    message: '$property must be a domain such as in.example.com if MAIL_IN_PORT is set',
  })
  MAIL_IN_DOMAIN?: string;
  /** Port on `HOST` for the sites of experiences, in processes with the role `sites`. */
  @toInteger @Max(65535) @Min(0) @IsInt() SITES_PORT = 3001;
  /** Domain below which slugs are the names of sites. Browsers resolve all names below `localhost`. */
  @Matches(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/, {
    message: '$property must be a domain in lower case such as sites.example.com',
  })
  SITES_DOMAIN = 'localhost';
  /** URL of `SITES_DOMAIN` for visitors, whose scheme and port links have. Default: `http://SITES_DOMAIN:SITES_PORT`. */
  @IsOptional()
  @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] })
  @ValidateBy({
    name: 'sitesDomain',
    validator: {
      validate: (text, args) =>
        URL.canParse(String(text)) &&
        new URL(String(text)).hostname === (args?.object as Config | undefined)?.SITES_DOMAIN,
      defaultMessage: () => '$property must have the host SITES_DOMAIN',
    },
  })
  SITES_URL?: string;
  /** Port on `HOST` for sites with TLS; 0 disables it. */
  @toInteger @Max(65535) @Min(0) @IsInt() SITES_TLS_PORT = 0;
  /** PEM files of the certificate for all names below `SITES_DOMAIN`, with its intermediate certificates, and its key. */
  @ValidateIf((config: Config) => Boolean(config.SITES_TLS_CERT ?? config.SITES_TLS_KEY))
  @IsString({ message: '$property is required with SITES_TLS_KEY' })
  SITES_TLS_CERT?: string;
  @ValidateIf((config: Config) => Boolean(config.SITES_TLS_CERT ?? config.SITES_TLS_KEY))
  @IsString({ message: '$property is required with SITES_TLS_CERT' })
  SITES_TLS_KEY?: string;
  /** Requests of a site per second on average, ten times as many at once; 0 for no limit. */
  @toInteger @Max(999_999) @Min(0) @IsInt() REQUESTS_PER_SITE = 50;
  /** Proof of control that a domain of an experience requires: `none`, or `dns` for a TXT record. */
  @IsIn(['none', 'dns']) DOMAIN_VERIFICATION: 'none' | 'dns' = 'none';
  /** Seconds that requests and jobs in flight have to finish after SIGTERM. */
  @toInteger @Max(3600) @Min(0) @IsInt() SHUTDOWN_TIMEOUT = 25;
  /** Comma-separated origins whose pages may read responses; `*` for all. */
  @Matches(/^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/,]+(\s*,\s*[a-z][a-z\d+.-]*:\/\/[^\s/,]+)*)$/i, {
    message: '$property must be * or origins such as https://app.example.com, separated by commas',
  })
  CORS_ORIGINS = '*';
  /** Comma-separated origins that callbacks may call even if they are private or without TLS. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*$/i, {
    message: '$property must be origins such as http://erp.internal:8080, separated by commas',
  })
  CALLBACK_ORIGINS?: string;
  /** Comma-separated origins from which bundles may be imported even if they are private or without TLS. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*$/i, {
    message: '$property must be origins such as http://store.internal:8080, separated by commas',
  })
  IMPORT_ORIGINS?: string;
  /** Comma-separated origins whose repositories may be used even if they are private or without TLS. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*$/i, {
    message: '$property must be origins such as http://git.internal:3000, separated by commas',
  })
  GIT_ORIGINS?: string;
  /**
   * Comma-separated origins to which workflows may send requests even if they are private, and databases as
   * `tcp://host:port`.
   */
  @IsOptional()
  @Matches(
    /^(https?:\/\/[^\s/,]+|tcp:\/\/[^\s/,]+:\d{1,5})(\s*,\s*(https?:\/\/[^\s/,]+|tcp:\/\/[^\s/,]+:\d{1,5}))*$/i,
    {
      message:
        '$property must be origins such as http://plc.internal:8080 or tcp://db.internal:5432, separated by commas',
    },
  )
  WORKFLOW_ORIGINS?: string;
  /** Minimum seconds between two data exports of a device, or of the devices of an application; 0 for no minimum. */
  @toInteger @Max(86_400) @Min(0) @IsInt() EXPORT_INTERVAL = 300;
  /**
   * Maximum number of resources of an application that is exported and copied within the request; larger ones use a
   * job. 0 always uses a job.
   */
  @toInteger @Max(100_000) @Min(0) @IsInt() SMALL_APPLICATION = 500;
  /** Engine for the scripts of Function nodes: `quickjs`, or `v8` with the optional package `isolated-vm`. */
  @IsIn(['quickjs', 'v8']) FUNCTION_ENGINE: 'quickjs' | 'v8' = 'quickjs';
  /** Number of compilers for embedded workflows per worker, each in a separate process. */
  @toInteger @Max(64) @Min(1) @IsInt() COMPILE_PROCESSES = 1;
  /** Maximum time in seconds to compile a module, including the start of the compiler. */
  @toInteger @Max(3600) @Min(1) @IsInt() COMPILE_TIMEOUT = 60;
  /** Maximum memory of a compiler, in MiB. */
  @toInteger @Max(65_536) @Min(256) @IsInt() COMPILE_MEMORY = 1_024;
  /** Maximum size of the compiled modules in the blob store, in MiB. */
  @toInteger @Max(999_999_999) @Min(1) @IsInt() COMPILE_CACHE = 1_024;
  /** Number of proxies in front of the platform, which is the number of trusted `X-Forwarded-For` entries. */
  @toInteger @Max(10) @Min(0) @IsInt() TRUST_PROXY = 0;
  /** Comma-separated addresses and ranges of the proxies whose `Client-Cert` header is trusted. */
  @IsOptional()
  @ValidateBy({
    name: 'addresses',
    validator: {
      validate: (text) => listed(String(text)).every(isAddressOrRange),
      defaultMessage: () =>
        '$property must be IP addresses or ranges such as 10.0.0.0/28, separated by commas',
    },
  })
  CLIENT_CERTIFICATE_PROXIES?: string;
  /** Maximum requests per token in ten seconds; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() REQUESTS_PER_TOKEN = 1_000;
  /** Maximum requests in ten seconds for all tokens of an owner except device tokens; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() REQUESTS_PER_OWNER = 3_000;
  /** Maximum requests in ten seconds for all devices of an owner; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() REQUESTS_PER_FLEET = 30_000;
  /** Maximum reports of a device, and maximum commands to it, in ten seconds; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() MESSAGES_PER_DEVICE = 30;
  /** Maximum open event streams per token and process; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() STREAMS_PER_TOKEN = 100;
  /** Maximum open event streams for all tokens of an owner per process; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() STREAMS_PER_OWNER = 1_000;
  /** Maximum open event streams per process; 0 for no limit. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() STREAMS_PER_PROCESS = 10_000;
  /** Days during which deleted devices can be restored. Afterwards they are removed together with their data. */
  @toInteger @Max(3650) @Min(0) @IsInt() DELETED_DEVICE_DAYS = 30;
  /**
   * Whether requests are created with the prototypes of Express: twice as fast, but not a documented extension point of
   * Nest.
   */
  @toBoolean @IsIn([true, false], { message: '$property must be true or false' }) HTTP_FAST_PATH = true;
  /** URL of a collector of OpenTelemetry that receives spans of workflow runs (OTLP over HTTP, at `/v1/traces`). */
  @IsOptional()
  @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) LOG_LEVEL = 'info';
  @IsOptional() @IsIn(['json', 'text']) LOG_FORMAT?: 'json' | 'text';

  /** The configuration that `env` describes. Blank values count as absent. Throws `ConfigError`. */
  static from(env: Readonly<Record<string, string | undefined>>): Config {
    const known = Object.keys(Config.describe());
    const given = Object.fromEntries(
      known.filter((name) => env[name]?.trim()).map((name) => [name, env[name]?.trim()]),
    );
    const config = plainToInstance(Config, { ...new Config(), ...given });
    const faults = validateSync(config, { forbidUnknownValues: true });
    if (faults.length) {
      const sentences = faults.map(
        (fault) => Object.values(fault.constraints ?? {})[0] ?? `${fault.property} is not valid`,
      );
      throw new ConfigError(`The configuration is not valid: ${sentences.join('; ')}.`);
    }
    return config;
  }

  /** Returns every variable with its default (`undefined` if it has no default). */
  static describe(): Record<keyof Config, unknown> {
    return { ...NO_DEFAULTS, ...new Config() } as Record<keyof Config, unknown>;
  }

  get dataDir(): string {
    return resolve(this.DATA_DIR);
  }

  get publicUrl(): string {
    return (this.PUBLIC_URL ?? this.listenerUrl(this.PORT)).replace(/\/+$/, '');
  }

  get filesUrl(): string {
    return this.PUBLIC_FILES_URL?.replace(/\/+$/, '') ?? this.publicUrl;
  }

  /** URL of the domain of all slugs, as visitors see it. */
  get sitesUrl(): string {
    return (this.SITES_URL ?? `http://${this.SITES_DOMAIN}:${this.SITES_PORT}`).replace(/\/+$/, '');
  }

  /**
   * URL below which public files are, followed by the ID of the application and the path. Without any address for
   * callers, the listener of sites serves them at `HOST`, because programs cannot resolve names below `localhost`.
   */
  get publicFilesUrl(): string {
    if (this.PUBLIC_FILES_URL === undefined && this.SITES_URL !== undefined)
      return `${this.siteUrl('files')}/files`;
    const isLocal = (this.PUBLIC_FILES_URL ?? this.PUBLIC_URL) === undefined;
    return `${isLocal ? this.listenerUrl(this.SITES_PORT) : this.filesUrl}/files`;
  }

  /** Returns the URL of a name below the domain of sites, such as a slug. */
  siteUrl(name: string): string {
    return this.sitesUrl.replace('://', `://${name}.`);
  }

  private listenerUrl(port: number): string {
    return `http://${this.HOST.includes(':') ? `[${this.HOST}]` : this.HOST}:${port}`;
  }

  /** In lower case, because browsers send origins in lower case. */
  get corsOrigins(): '*' | string[] {
    return this.CORS_ORIGINS === '*' ? '*' : this.CORS_ORIGINS.toLowerCase().split(/\s*,\s*/);
  }

  get callbackOrigins(): string[] {
    return listed(this.CALLBACK_ORIGINS);
  }

  get importOrigins(): string[] {
    return listed(this.IMPORT_ORIGINS);
  }

  get gitOrigins(): string[] {
    return listed(this.GIT_ORIGINS);
  }

  get workflowOrigins(): string[] {
    return listed(this.WORKFLOW_ORIGINS).filter((origin) => !TCP.test(origin));
  }

  /** Private databases that workflows may reach, as `host:port`. */
  get workflowServers(): string[] {
    const origins = listed(this.WORKFLOW_ORIGINS).filter((origin) => TCP.test(origin));
    return origins.map((origin) => origin.replace(TCP, ''));
  }

  get clientCertificateProxies(): string[] {
    return listed(this.CLIENT_CERTIFICATE_PROXIES);
  }

  get mailInDomain(): string | undefined {
    return canonicalDomain(this.MAIL_IN_DOMAIN ?? '');
  }

  get blobUrl(): string {
    return this.BLOB_URL ?? pathToFileURL(join(this.dataDir, 'blobs')).href;
  }

  get roles(): ReadonlySet<ProcessRole> {
    return new Set(this.PROCESS_ROLE === 'all' ? PROCESS_ROLES : listed(this.PROCESS_ROLE).filter(isRole));
  }
}

/** Variables without a default. They are listed because a field that is only declared does not exist at run time. */
const NO_DEFAULTS = {
  PUBLIC_URL: undefined,
  PUBLIC_FILES_URL: undefined,
  SITES_URL: undefined,
  SITES_TLS_CERT: undefined,
  SITES_TLS_KEY: undefined,
  DATABASE_URL: undefined,
  REDIS_URL: undefined,
  BLOB_URL: undefined,
  S3_ENDPOINT: undefined,
  ARCHIVE_S3_ENDPOINT: undefined,
  ARCHIVE_GCS_ENDPOINT: undefined,
  ARCHIVE_AZURE_ENDPOINT: undefined,
  SMTP_URL: undefined,
  ADMIN_PASSWORD: undefined,
  TOKEN_PRIVATE_KEY: undefined,
  SECRETS_KEY: undefined,
  CALLBACK_ORIGINS: undefined,
  CLIENT_CERTIFICATE_PROXIES: undefined,
  GIT_ORIGINS: undefined,
  IMPORT_ORIGINS: undefined,
  MAIL_IN_DOMAIN: undefined,
  MQTT_TLS_CERT_FILE: undefined,
  MQTT_TLS_KEY_FILE: undefined,
  WORKFLOW_ORIGINS: undefined,
  TEMPLATES_DIR: undefined,
  LOG_FORMAT: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
} satisfies Partial<Record<keyof Config, undefined>>;

/**
 * Loads the configuration of this process from the environment; a `.env` file in the working folder supplies unset
 * variables.
 */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return Config.from(process.env);
}
