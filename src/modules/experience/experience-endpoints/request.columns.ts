/** What requests are told apart by, beside the application and the minute. An endpoint that is empty is none. */
export const REQUEST_KEY = 'endpoint_id, version, domain, status_code';

/**
 * SQL of the requests of the application `$1` after `$2`, up to and with `$3`: those that were added up by `$4` minutes, and
 * those that were not yet. `more` is what else must hold of a row `s`.
 */
export const requestsSql = (more = ''): string =>
  [
    ['experience_request_sums', ' AND s.minutes = $4'],
    ['experience_request_deltas', ''],
  ]
    .map(
      ([table, minutes]) => `SELECT s.until, ${REQUEST_KEY}, s.requests FROM ${table} s
    WHERE s.application_id = $1 AND s.until > $2::timestamptz AND s.until <= $3::timestamptz${minutes}${more}`,
    )
    .join(' UNION ALL ');

/** Sums of requests until then are removed. */
export const OLDEST_REQUESTS = `now() - interval '30 days'`;
