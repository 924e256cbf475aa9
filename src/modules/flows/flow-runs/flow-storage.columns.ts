/** SQL over a stored value `r`: its contribution to the count and the size. */
export const STORAGE_MEASURES = { count: '1', size: 'octet_length(r.key) + octet_length(r.value::text)' };

/**
 * SQL of the time of last use of stored values and states. It only changes once a day, so that most writes change no
 * index.
 */
export const TODAY = `date_trunc('day', now())`;
