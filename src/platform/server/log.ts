import { nanoid } from 'nanoid';
import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Metrics } from '../probes/metrics.js';
import { pino, type DestinationStream, type Logger } from 'pino';
import { addHeaders } from '../../lib/http/listed-headers.js';
import { requestLine } from './request-line.js';

export interface LogOptions {
  level: string;
  /** Where lines go; standard output by default. */
  destination?: DestinationStream;
}

/** Numbers of levels by name; `silent` has none. */
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
/** The token of a webhook is all that its callers need, so it stands in no log, also where the path is mistyped. */
const TOKEN_IN_PATH = /(\/webhooks\/+)[^/]+/i;
const INBOUND_ID = /^[\w-]{1,64}$/;

/** The process's logger: JSON lines. Bodies and headers are never logged; what names a secret is cut out all the same. */
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

/** What of an error is logged. A failed statement carries its text and values too, and those may be anybody's secrets. */
function errorFacts(error: Error & { code?: unknown }): object {
  const { name, message, code, stack } = error;
  return { type: name, message, code, stack };
}

/** Lines go out together, four times a second or when there are 4 KiB; whatever is left goes out at the exit. */
let standardOutput: DestinationStream | undefined;

function destinationOf({ destination }: LogOptions): DestinationStream {
  return (
    destination ?? (standardOutput ??= pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 }))
  );
}

/**
 * Gives each request its id (the caller's `X-Request-Id` where it is a plain one) and logs one line when it is done:
 * verb, path without its query, status and duration. The query stays out: it may hold an address.
 */
export function requestLog(
  options: LogOptions,
  metrics: Metrics,
): (request: Request, response: Response, next: NextFunction) => void {
  const destination = destinationOf(options);
  const least = LEVELS[options.level] ?? Infinity;
  return (request, response, next) => {
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
      if (level < least) return;
      const path = originalUrl.split('?', 1)[0]!.replace(TOKEN_IN_PATH, '$1{token}');
      const ms = Math.round(taken * 10) / 10;
      const facts = { level, requestId, method, path, status, ms, aborted: !writableFinished };
      destination.write(requestLine(facts, Date.now()));
    });
    next();
  };
}

/** What Nest tells of every module and route as it starts is of use to its developers only. */
const FRAMEWORK = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's logger on pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
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

  /** Nest passes the context last, and a stack before it where there is one. */
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
