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

export const PROCESS_ROLES = ['all', 'api', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

const URL_OPTIONS = { require_tld: false, require_protocol: true };
const listed = (text?: string): string[] => text?.split(/\s*,\s*/) ?? [];
const toInteger = Transform(({ value }): unknown =>
  /^\d{1,9}$/.test(String(value)) ? Number(value) : value,
);
const toBoolean = Transform(({ value }): unknown => ({ true: true, false: false })[String(value)] ?? value);

/** Rejected configuration: the message is a sentence that names each variable at fault. */
export class ConfigError extends Error {}

/**
 * Every setting of the platform, read from the environment once and validated; nothing else reads `process.env`.
 * The field names are the variable names; `.env.example` describes them for operators.
 */
export class Config {
  @toInteger @Max(65535) @Min(0) @IsInt() PORT = 3000;
  @IsString() @MinLength(1) HOST = '127.0.0.1';
  /** Where callers reach the API; absent, `http://HOST:PORT`. */
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) PUBLIC_URL?: string;
  /** Where files are read, a host of their own; absent, PUBLIC_URL. */
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) PUBLIC_FILES_URL?: string;
  @IsString() @MinLength(1) DATA_DIR = './var';
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['postgres', 'postgresql'] }) DATABASE_URL?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['redis', 'rediss'] }) REDIS_URL?: string;
  /** `file:` folder or `s3://bucket`; absent, a folder under DATA_DIR. */
  @IsOptional()
  @Matches(/^(file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?)$/, {
    message: '$property must be file:FOLDER or s3://BUCKET',
  })
  BLOB_URL?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) S3_ENDPOINT?: string;
  /** Stores that archives of applications go to in place of the public ones; they may be private. */
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) ARCHIVE_S3_ENDPOINT?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) ARCHIVE_GCS_ENDPOINT?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) ARCHIVE_AZURE_ENDPOINT?: string;
  @IsOptional() @IsUrl({ ...URL_OPTIONS, protocols: ['smtp', 'smtps'] }) SMTP_URL?: string;
  @IsEmail({ require_tld: false }) MAIL_FROM = 'fieldwright@localhost.localdomain';
  @Matches(ADDRESS, { message: '$property must be an e-mail address' }) ADMIN_EMAIL = 'admin@example.com';
  @IsOptional()
  @Matches(/^(?=.*[A-Z])(?=.*[^A-Za-z0-9])(?=.*[0-9])(?=.*[a-z]).{12,2048}$/, {
    message: '$property must have at least 12 characters with upper and lower case, a digit and a symbol',
  })
  ADMIN_PASSWORD?: string;
  /** PEM of an EC P-256 private key; absent, made once and kept in DATA_DIR. */
  @IsOptional()
  @Matches(/^-----BEGIN [A-Z ]*PRIVATE KEY-----/, { message: '$property must be a PEM private key' })
  TOKEN_PRIVATE_KEY?: string;
  /** 32 bytes in base64 for AES-256-GCM; absent, made once and kept in DATA_DIR. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: '$property must be 32 bytes in base64' })
  SECRETS_KEY?: string;
  @IsUrl({ ...URL_OPTIONS, protocols: ['http', 'https'] }) CODEHOST_API_URL = 'https://api.github.com';
  @IsOptional() @IsString() @MinLength(1) TEMPLATES_DIR?: string;
  @IsIn(PROCESS_ROLES) PROCESS_ROLE: ProcessRole = 'all';
  @Matches(/^[a-zA-Z0-9_-]{1,64}$/, { message: '$property must be 1 to 64 letters, digits, _ or -' })
  TOPIC_PREFIX = 'fieldwright';
  /** A port of its own for /metrics, on HOST; 0 for none. */
  @toInteger @Max(65535) @Min(0) @IsInt() METRICS_PORT = 0;
  /** Serve /metrics on the public port. */
  @toBoolean @IsIn([true, false], { message: '$property must be true or false' }) METRICS_PUBLIC = false;
  /** Serve the board of the queue at /jobs-board, to administrators. */
  @toBoolean @IsIn([true, false], { message: '$property must be true or false' }) JOBS_BOARD = false;
  /** The port on HOST where mails to workflows come in by SMTP; 0 for none. */
  @toInteger @Max(65535) @Min(0) @IsInt() MAIL_IN_PORT = 0;
  /** The domain of the addresses of workflows. */
  @ValidateIf((config: Config) => config.MAIL_IN_PORT > 0 || config.MAIL_IN_DOMAIN !== undefined)
  @Matches(DOMAIN, {
    message: '$property must be a domain such as in.example.com, as there is a MAIL_IN_PORT',
  })
  MAIL_IN_DOMAIN?: string;
  /** How many seconds requests and jobs that run have to end after SIGTERM. */
  @toInteger @Max(3600) @Min(0) @IsInt() SHUTDOWN_TIMEOUT = 25;
  /** Origins whose pages may read answers, separated by commas; `*` for all. */
  @Matches(/^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/,]+(\s*,\s*[a-z][a-z\d+.-]*:\/\/[^\s/,]+)*)$/i, {
    message: '$property must be * or origins such as https://app.example.com, separated by commas',
  })
  CORS_ORIGINS = '*';
  /** Origins that callbacks reach although they are private or without TLS, separated by commas. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*$/i, {
    message: '$property must be origins such as http://erp.internal:8080, separated by commas',
  })
  CALLBACK_ORIGINS?: string;
  /** Origins that bundles are imported from although they are private or without TLS, separated by commas. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*$/i, {
    message: '$property must be origins such as http://store.internal:8080, separated by commas',
  })
  IMPORT_ORIGINS?: string;
  /** Origins whose repositories are used although they are private or without TLS, separated by commas. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/,]+(\s*,\s*https?:\/\/[^\s/,]+)*$/i, {
    message: '$property must be origins such as http://git.internal:3000, separated by commas',
  })
  GIT_ORIGINS?: string;
  /** Seconds between two exports of the data of a device, or of an application's devices; 0 for none. */
  @toInteger @Max(86_400) @Min(0) @IsInt() EXPORT_INTERVAL = 300;
  /** Applications of so many resources are exported and copied within a request, larger ones as jobs; 0 for all as jobs. */
  @toInteger @Max(100_000) @Min(0) @IsInt() SMALL_APPLICATION = 500;
  /** How many compilers of embedded workflows a worker has, each in a process of its own. */
  @toInteger @Max(64) @Min(1) @IsInt() COMPILE_PROCESSES = 1;
  /** How many seconds a module may take to compile, the start of a compiler included. */
  @toInteger @Max(3600) @Min(1) @IsInt() COMPILE_TIMEOUT = 60;
  /** How much memory a compiler may take, in MiB. */
  @toInteger @Max(65_536) @Min(256) @IsInt() COMPILE_MEMORY = 1_024;
  /** How much room compiled modules may take in the blob store, in MiB. */
  @toInteger @Max(999_999_999) @Min(1) @IsInt() COMPILE_CACHE = 1_024;
  /** How many proxies stand before the platform: so many entries of X-Forwarded-For are believed. */
  @toInteger @Max(10) @Min(0) @IsInt() TRUST_PROXY = 0;
  /** Proxies whose header Client-Cert is believed: addresses and ranges of them, separated by commas. */
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
  /** Requests that a token may send in ten seconds; 0 for any number. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() REQUESTS_PER_TOKEN = 1_000;
  /** Requests that all tokens of one owner but those of devices may send in ten seconds; 0 for any number. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() REQUESTS_PER_OWNER = 3_000;
  /** Requests that all devices of one owner may send in ten seconds; 0 for any number. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() REQUESTS_PER_FLEET = 30_000;
  /** Streams of events that a token may have open in a process; 0 for any number. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() STREAMS_PER_TOKEN = 100;
  /** Streams of events that all tokens of one owner may have open in a process; 0 for any number. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() STREAMS_PER_OWNER = 1_000;
  /** Streams of events that a process keeps open; 0 for any number. */
  @toInteger @Max(999_999_999) @Min(0) @IsInt() STREAMS_PER_PROCESS = 10_000;
  /** How many days deleted devices can be restored; then they are removed with what they reported. */
  @toInteger @Max(3650) @Min(0) @IsInt() DELETED_DEVICE_DAYS = 30;
  /** Requests born with Express's prototypes: twice as fast, and no documented extension point of Nest. */
  @toBoolean @IsIn([true, false], { message: '$property must be true or false' }) HTTP_FAST_PATH = true;
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) LOG_LEVEL = 'info';

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

  /** Every variable with its default (`undefined` where there is none). */
  static describe(): Record<keyof Config, unknown> {
    return { ...NO_DEFAULTS, ...new Config() } as Record<keyof Config, unknown>;
  }

  get dataDir(): string {
    return resolve(this.DATA_DIR);
  }

  get publicUrl(): string {
    return (
      this.PUBLIC_URL ?? `http://${this.HOST.includes(':') ? `[${this.HOST}]` : this.HOST}:${this.PORT}`
    ).replace(/\/+$/, '');
  }

  get filesUrl(): string {
    return this.PUBLIC_FILES_URL?.replace(/\/+$/, '') ?? this.publicUrl;
  }

  /** Browsers write origins in lower case. */
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

  get clientCertificateProxies(): string[] {
    return listed(this.CLIENT_CERTIFICATE_PROXIES);
  }

  get mailInDomain(): string | undefined {
    return canonicalDomain(this.MAIL_IN_DOMAIN ?? '');
  }

  get blobUrl(): string {
    return this.BLOB_URL ?? pathToFileURL(join(this.dataDir, 'blobs')).href;
  }

  get runsApi(): boolean {
    return this.PROCESS_ROLE !== 'worker';
  }

  get runsWorker(): boolean {
    return this.PROCESS_ROLE !== 'api';
  }
}

/** The variables whose absence means something; listed because a declared-only field leaves no trace at run time. */
const NO_DEFAULTS = {
  PUBLIC_URL: undefined,
  PUBLIC_FILES_URL: undefined,
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
  TEMPLATES_DIR: undefined,
} satisfies Partial<Record<keyof Config, undefined>>;

/** The configuration of this process: the environment, and for what it does not set a `.env` file in the working folder. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return Config.from(process.env);
}
