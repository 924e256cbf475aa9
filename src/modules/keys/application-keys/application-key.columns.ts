/** SQL of the name of the key `t` in audit logs. */
export const LOGGED_NAME = 'coalesce(t.name, t.key)';

/** Returns SQL that converts a JSON list column into an array, for advanced queries. */
export const arrayOf = (column: string): string => `ARRAY(SELECT jsonb_array_elements_text(${column}))`;
