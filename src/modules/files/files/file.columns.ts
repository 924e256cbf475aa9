/** SQL of the content size of `place`, a row of a table of files. Announced content does not count. */
export const contentBytesSql = (place: string): string =>
  `CASE WHEN ${place}.content_key IS NULL THEN 0 ELSE ${place}.file_size END`;

/** SQL of the path of the directory that contains `t`, a row of a table of files. It begins and ends with `/`. */
export const directorySql = (table: string): string => `(WITH RECURSIVE up (id, path) AS (
    SELECT t.parent_id, '/'
    UNION ALL SELECT d.parent_id, '/' || d.name || u.path FROM up u
      CROSS JOIN LATERAL (SELECT f.parent_id, f.name FROM ${table} f WHERE f.id = u.id OFFSET 0) d)
  SELECT u.path FROM up u WHERE u.id = '')`;

/**
 * SQL condition that `t`, a row of a table of files, is a directory or a file with content, and not in a directory that
 * is being deleted.
 */
export const isWholeSql = (table: string): string =>
  `t.status <> 'deleting' AND (t.content_key IS NOT NULL OR t.type = 'directory') AND NOT EXISTS (
    WITH RECURSIVE up (id, status) AS (
      SELECT t.parent_id, ''
      UNION ALL SELECT d.parent_id, d.status FROM up u
        CROSS JOIN LATERAL (SELECT f.parent_id, f.status FROM ${table} f WHERE f.id = u.id OFFSET 0) d)
    SELECT FROM up u WHERE u.status = 'deleting')`;
