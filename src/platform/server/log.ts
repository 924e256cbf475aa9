import { nanoid } from 'nanoid';
import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Metrics } from '../probes/metrics.js';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { GuardedRequest } from '../access/request.js';
import { addHeaders } from '../../lib/http/listed-headers.js';
import { openJoinedLines } from './joined-lines.js';
import { readableLog } from './readable-log.js';
import { requestLine } from './request-line.js';

export type LogFormat = 'json' | 'text';

export interface LogOptions {
  level: string;
  /** `text` for readers, `json` for programs. Default: `text` in a terminal, otherwise `json`. */
  format?: LogFormat;
  /** Destination of log lines; standard output by default. */
  destination?: DestinationStream;
}

/** Level numbers by name; `silent` has none. */
const LEVELS: Readonly<Record<string, number>> = pino.levels.values;

const SECRETS = [
  'password',
  'newPassword',
  'secret',
  'token',
  'accessToken',
  'SAMLResponse',
  'twoFactorCode',
  'authorization',
];
/** The token of a webhook grants access to it, so it is never logged, even in mistyped paths. */
const TOKEN_IN_PATH = /(\/webhooks\/+)[^/]+/i;
const INBOUND_ID = /^[\w-]{1,64}$/;

/**
 * Creates the logger of the process. Bodies and headers are never logged; properties with names of secrets are removed
 * nevertheless.
 */
export function createLogger(options: LogOptions): Logger {
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: errorFacts },
    },
    destinationOf(options),
  );
}

/**
 * Properties of an error that are logged. Failed statements also have their text and values, which may contain secrets.
 */
function errorFacts(error: Error & { code?: unknown }): object {
  const { name, message, code, stack } = error;
  return { type: name, message, code, stack };
}

let standardOutput: DestinationStream | undefined;

/** Returns the destination of log lines in JSON, which it writes in the configured format. */
function destinationOf({ destination, format }: LogOptions): DestinationStream {
  if (destination) return format === 'text' ? readableLog(destination, false) : destination;
  return (standardOutput ??= openStandardOutput(format ?? (process.stdout.isTTY ? 'text' : 'json')));
}

/** JSON lines are written in batches. A reader sees lines at once, in colour unless `NO_COLOR` is set. */
function openStandardOutput(format: LogFormat): DestinationStream {
  if (format === 'json') return openJoinedLines();
  const isColored = process.stdout.isTTY && process.stdout.hasColors();
  return readableLog(pino.destination({ sync: true }), isColored);
}

/**
 * Assigns an ID to each request (the `X-Request-Id` of the client, if it has a simple format) and logs one line when it
 * ends: method, path without query, status, duration and caller. The query is omitted because it may contain an e-mail
 * address.
 */
export function requestLogger(
  options: LogOptions,
  metrics: Metrics,
): (request: Request, response: Response, next: NextFunction) => void {
  const destination = destinationOf(options);
  const min = LEVELS[options.level] ?? Infinity;
  return (request: GuardedRequest, response, next) => {
    const started = performance.now();
    const inbound = request.headers['x-request-id'];
    const requestId = typeof inbound === 'string' && INBOUND_ID.test(inbound) ? inbound : nanoid();
    (request as Request & { id: string }).id = requestId;
    addHeaders(response, ['X-Request-Id', requestId]);
    response.on('close', () => {
      const { method, originalUrl } = request;
      const { statusCode: status, writableFinished } = response;
      const taken = performance.now() - started;
      metrics.observe(request, status, taken);
      const level = (status >= 500 ? LEVELS.error : LEVELS.info)!;
      if (level < min) return;
      const path = originalUrl.split('?', 1)[0]!.replace(TOKEN_IN_PATH, '$1{token}');
      const ms = Math.round(taken * 10) / 10;
      const { actor } = request.principal ?? {};
      // A WebSocket has no response to complete.
      const aborted = !writableFinished && status !== 101;
      const facts = { level, requestId, method, path, status, ms, actor, aborted };
      destination.write(requestLine(facts, Date.now()));
    });
    next();
  };
}

/** Contexts of Nest's start-up messages about modules and routes, which only help its developers. */
const FRAMEWORK = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Lines in JSON of the level `info`, already formatted. Lines of requests are many, and pino takes three times as long. */
export class LogLines {
  constructor(readonly text: string) {}
}

/** Adapts pino to the logger interface of Nest. */
export class NestLogger implements LoggerService {
  private readonly logger: Logger;
  private readonly destination: DestinationStream;

  constructor(options: LogOptions) {
    this.logger = createLogger(options);
    this.destination = destinationOf(options);
  }

  log(message: unknown, ...rest: unknown[]): void {
    if (message instanceof LogLines) {
      if (this.logger.isLevelEnabled('info')) this.destination.write(message.text);
      return;
    }
    this.write(FRAMEWORK.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the context as the last argument, preceded by the stack, if any. */
  private write(
    level: 'info' | 'error' | 'warn' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    if (message instanceof Error) this.logger[level]({ context, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) this.logger[level]({ context, ...message });
    else this.logger[level]({ context, ...(stack ? { stack } : {}) }, String(message));
  }
}
