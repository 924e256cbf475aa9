/** SQL over `r`, a stored value: what each counts for. */
export const STORAGE_MEASURES = { count: '1', size: 'octet_length(r.key) + octet_length(r.value::text)' };
