import { errorCode } from '../database/error-code.js';
import { ApiError, NotFound, Unavailable, ValidationError } from '../../lib/errors/errors.js';

/** The database is down, restarting, or out of connections. */
const CONNECTION_ERROR_CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[123]|53300|08\w{3}|25P03)$/;
/** Messages of the same failures in `pg` and TypeORM errors without a code. */
const CONNECTION_ERROR_MESSAGES =
  /Connection terminated|not queryable|uery runner (was )?already released|Query read timeout|timeout exceeded when trying to connect/;
const LOCKED = '55P03';
const RETRY_MESSAGES = new Map([
  ['25006', 'The database is temporarily read-only, try again'],
  ['40001', 'The database is busy, try again'],
  ['40P01', 'The database is busy, try again'],
  ['53100', 'The database is out of disk space, try again'],
  ['53200', 'The database is out of memory, try again'],
  [LOCKED, 'A resource that the request needs is locked, try again'],
]);
const QUERY_CANCELED = '57014';

/**
 * Converts a database failure to an error for the caller if a value or a temporary condition caused it. Returns
 * `undefined` for defects of the platform. Errors with status `503` are also logged.
 */
export function databaseError(thrown: unknown): ApiError | undefined {
  const code = errorCode(thrown);
  if (code.startsWith('22')) return new ValidationError('A value is outside the range that can be stored');
  // The parent of the row was removed concurrently.
  if (code === '23503') return new NotFound('The parent resource');
  const again = RETRY_MESSAGES.get(code);
  if (again !== undefined) return new Unavailable(again);
  // A retry would take just as long.
  if (code === QUERY_CANCELED)
    return new ApiError(503, 'Unavailable', 'The database takes too long for this request');
  if (
    CONNECTION_ERROR_CODES.test(code) ||
    isMissingSocket(thrown) ||
    (thrown instanceof Error && CONNECTION_ERROR_MESSAGES.test(thrown.message))
  )
    return new Unavailable('The database does not respond, try again');
  return undefined;
}

/** Returns the error for the caller, if one is known: the error itself, or what `databaseError` makes of it. */
export const apiErrorOf = (thrown: unknown): ApiError | undefined =>
  thrown instanceof ApiError ? thrown : databaseError(thrown);

/** Returns whether a connection was lost after the statement was sent, so that it may have been committed. */
export const isCut = (error: unknown): boolean =>
  /^(ECONNRESET|EPIPE|57P0[12]|08\w{3})$/.test(errorCode(error)) ||
  (error instanceof Error && error.message.includes('Connection terminated'));

/** The Unix socket of a local PostgreSQL does not exist. */
const isMissingSocket = (thrown: unknown): boolean =>
  errorCode(thrown) === 'ENOENT' && (thrown as { syscall?: unknown }).syscall === 'connect';

/** Returns whether a statement failed because the database is unavailable, so that one with fewer rows would fail too. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Unavailable ||
  (databaseError(error) instanceof Unavailable && errorCode(error) !== LOCKED);
