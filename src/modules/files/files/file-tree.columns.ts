import { directorySql } from './file.columns.js';
import type { FileTable } from './file-upload.entity.js';

/** Statements for a tree of files; `$1` is the application. */
export function treeSql(table: FileTable) {
  /** Children of `above`, a row. Each is found with the index regardless of the planner's estimates. */
  const childrenOf = (above: string, columns: string, where = 'true') => `(
    SELECT ${columns} FROM ${table} f WHERE f.application_id = $1 AND f.parent_id = ${above}.id AND ${where} OFFSET 0)`;
  const isThere = `f.status <> 'deleting'`;
  const deleting = `SELECT d.id FROM ${table} d WHERE d.application_id = $1 AND d.status = 'deleting'`;
  const ofDeleting = (where: string) => `SELECT c.id FROM (${deleting} OFFSET 0) d
    CROSS JOIN LATERAL (SELECT f.id FROM ${table} f WHERE f.application_id = $1 AND f.parent_id = d.id AND ${where}
      LIMIT $2) c LIMIT $2`;
  return {
    walk: `WITH RECURSIVE walk (level, id, type) AS (
        SELECT 0, '', 'directory'
        UNION ALL SELECT w.level + 1, c.id, c.type FROM walk w CROSS JOIN LATERAL ${childrenOf(
          'w',
          'f.id, f.type',
          `f.name = ($2::text[])[w.level + 1] AND ${isThere}`,
        )} c WHERE w.level < cardinality($2::text[]) AND w.type = 'directory')
      SELECT level, id, type FROM walk ORDER BY level`,
    typeOf: `SELECT f.type FROM ${table} f WHERE f.application_id = $1 AND f.id = $2 AND ${isThere}`,
    contentKeys: `SELECT f.id, f.content_key FROM ${table} f
      WHERE f.application_id = $1 AND f.id = ANY ($2::text[]) AND f.content_key IS NOT NULL`,
    directory: `SELECT ${directorySql(table)} FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`,
    child: `SELECT f.id, f.type FROM ${table} f
      WHERE f.application_id = $1 AND f.parent_id = $2 AND f.name = $3 AND ${isThere}`,
    makeDirectory: `INSERT INTO ${table} (id, application_id, parent_id, name, author_id, author_type,
        type, status, creation_date, last_updated)
      VALUES ($1, $2, $3, $4, $5, $6, 'directory', 'completed', now(), now())
      ON CONFLICT (application_id, parent_id, name) WHERE status <> 'deleting' DO NOTHING RETURNING id, type`,
    extent: `WITH RECURSIVE below (id, levels, bytes) AS (
        SELECT $2::text, 0, 0
        UNION ALL SELECT c.id, b.levels + 1, b.bytes + octet_length(c.name) + 1 FROM below b
          CROSS JOIN LATERAL ${childrenOf('b', 'f.id, f.name', `f.type = 'directory'`)} c)
      SELECT max(levels) AS levels, max(bytes) AS bytes FROM below`,
    below: `WITH RECURSIVE below (id, type) AS (
        SELECT $2::text, 'directory'
        UNION ALL SELECT c.id, c.type FROM below b CROSS JOIN LATERAL ${childrenOf('b', 'f.id, f.type')} c
          WHERE b.type = 'directory')
      SELECT id FROM below WHERE id <> $2 LIMIT $3`,
    remove: `DELETE FROM ${table} f WHERE f.application_id = $1 AND f.id = ANY ($2::text[])`,
    spreadDeletion: `UPDATE ${table} f SET status = 'deleting'
      WHERE f.id = ANY (ARRAY(${ofDeleting(`f.type = 'directory' AND ${isThere}`)})) RETURNING f.id`,
    removeFiles: `DELETE FROM ${table} f WHERE f.id = ANY (ARRAY(${ofDeleting(`f.type = 'file'`)})) RETURNING f.id`,
    removeEmpty: `DELETE FROM ${table} e WHERE e.id = ANY (ARRAY(${deleting}
      AND NOT EXISTS (SELECT FROM ${table} f WHERE f.application_id = $1 AND f.parent_id = d.id) LIMIT $2)) RETURNING e.id`,
  };
}
