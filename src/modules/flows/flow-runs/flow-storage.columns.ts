/** SQL over a stored value `r`: its contribution to the count and the size. */
export const STORAGE_MEASURES = { count: '1', size: 'octet_length(r.key) + octet_length(r.value::text)' };
