/** Columns that identify a sum, in addition to application and period. An empty endpoint ID means no endpoint. */
export const REQUEST_KEY = 'endpoint_id, version, domain, status_code';

/**
 * SQL of the requests of the application `$1` after `$2`, up to and including `$3`: sums of `$4` minutes and requests
 * not aggregated yet. `more` is an additional condition on a row `s`.
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

/** Request sums that end earlier are deleted. */
export const OLDEST_REQUESTS = `now() - interval '30 days'`;
