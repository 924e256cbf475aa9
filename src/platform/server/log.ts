import { nanoid } from 'nanoid';
import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { pino, type DestinationStream, type Logger } from 'pino';
import { pinoHttp } from 'pino-http';

export interface LogOptions {
  level: string;
  /** Where lines go; standard output by default. */
  destination?: DestinationStream;
}

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
const INBOUND_ID = /^[\w-]{1,64}$/;

/** The process's logger: JSON lines. Bodies and headers are never logged; what names a secret is cut out all the same. */
export function createLogger({ level, destination }: LogOptions): Logger {
  const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' };
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact }, destination);
}

/**
 * Gives each request its id (the caller's `X-Request-Id` where it is a plain one) and logs one line when it is
 * answered: verb, path without its query, status and duration. The query stays out: it may hold an address.
 */
export function requestLog(
  options: LogOptions,
): (request: Request, response: Response, next: NextFunction) => void {
  const middleware = pinoHttp({
    logger: createLogger(options),
    quietReqLogger: true,
    quietResLogger: true,
    genReqId: (request, response) => {
      const inbound = request.headers['x-request-id'];
      const id = typeof inbound === 'string' && INBOUND_ID.test(inbound) ? inbound : nanoid();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: (request, response) =>
      `${request.method} ${pathOf(request)} ${response.statusCode}`,
    customErrorMessage: (request, response) => `${request.method} ${pathOf(request)} ${response.statusCode}`,
    serializers: {
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: (error: Error) => ({ type: error.name, message: error.message }),
    },
  });
  return (request, response, next) => middleware(request, response, next);
}

function pathOf(request: { originalUrl?: string; url?: string }): string {
  return (request.originalUrl ?? request.url ?? '').split('?', 1)[0]!;
}

/** Nest's logger on pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
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
