import { errorCode } from '../database/error-code.js';
import { ApiError, NotFound, Unavailable, ValidationError } from '../../lib/errors/errors.js';

/** The database is gone, restarting, or has no connection left. */
const LOSS = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[123]|53300|08\w{3}|25P03)$/;
/** The same as `pg` and TypeORM put it, where their errors have no code. */
const LOSS_IN_WORDS =
  /Connection terminated|not queryable|uery runner (was )?already released|Query read timeout|timeout exceeded when trying to connect/;
const TRY_AGAIN = new Map([
  ['25006', 'The database takes no changes at the moment, try again'],
  ['40001', 'The database is busy, try again'],
  ['40P01', 'The database is busy, try again'],
  ['53100', 'The database has no room on its disk, try again'],
  ['53200', 'The database has no memory left, try again'],
  ['55P03', 'Somebody else keeps locked what the request needs, try again'],
]);
const STATEMENT_ENDED = '57014';

/**
 * What a failure of the database means to a caller whose value, or whose moment, it was; nothing where it is a fault of the
 * platform's own. Those of status 503 are for the log too.
 */
export function databaseError(thrown: unknown): ApiError | undefined {
  const code = errorCode(thrown);
  if (code.startsWith('22')) return new ValidationError('A value is out of the range that can be stored');
  // What the row belongs to was removed in this very moment.
  if (code === '23503') return new NotFound('What it belongs to');
  const again = TRY_AGAIN.get(code);
  if (again !== undefined) return new Unavailable(again);
  // The same would take as long again.
  if (code === STATEMENT_ENDED)
    return new ApiError(503, 'Unavailable', 'The database needs too long for this request');
  if (
    LOSS.test(code) ||
    isMissingSocket(thrown) ||
    (thrown instanceof Error && LOSS_IN_WORDS.test(thrown.message))
  )
    return new Unavailable('The database does not answer, try again');
  return undefined;
}

/** A PostgreSQL on this machine that is not there. */
const isMissingSocket = (thrown: unknown): boolean =>
  errorCode(thrown) === 'ENOENT' && (thrown as { syscall?: unknown }).syscall === 'connect';
