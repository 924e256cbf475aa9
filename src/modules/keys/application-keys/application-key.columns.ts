/** The name of a key `t` in audit logs. */
export const LOGGED_NAME = 'coalesce(t.name, t.key)';

/** A list that a JSON column holds, as the array that a query asks of. */
export const arrayOf = (column: string): string => `ARRAY(SELECT jsonb_array_elements_text(${column}))`;
