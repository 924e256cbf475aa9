/**
 * Joins the rows that a program is made of: workflow `f`, version `v`, application `a`, version of the experience `e`.
 * `q` has the IDs of application, workflow and version.
 */
export const PROGRAM_PARTS = `LEFT JOIN LATERAL (SELECT f.*, f.xmin AS change FROM flows f
      WHERE f.id = q.flow_id AND f.application_id = q.application_id OFFSET 0) f ON true
    LEFT JOIN LATERAL (SELECT v.*, v.xmin AS change FROM flow_versions v
      WHERE v.id = q.flow_version_id AND v.flow_id = f.id OFFSET 0) v ON true
    LEFT JOIN LATERAL (SELECT a.*, a.xmin AS change FROM applications a
      WHERE a.id = f.application_id AND a.deleted_at IS NULL OFFSET 0) a ON true
    LEFT JOIN LATERAL (SELECT e.globals, e.xmin AS change FROM experience_versions e
      WHERE f.flow_class = 'experience' AND e.application_id = f.application_id
        AND e.version = coalesce(v.version, 'develop') OFFSET 0) e ON true`;
/** Returns SQL of the stamp of a program: the numbers of the transactions that wrote its rows, by the `xmin` of each. */
export const programStampSql = (
  flow: string,
  version: string,
  application: string,
  experience: string,
): string => `concat_ws(' ', ${flow}, ${version}, ${application}, ${experience})`;
/** The stamp of the rows in `PROGRAM_PARTS`. `NULL` if one of them does not exist. */
export const PROGRAM_STAMP = `CASE WHEN a.id IS NOT NULL AND (q.flow_version_id IS NULL OR v.id IS NOT NULL)
    THEN ${programStampSql('f.change', 'v.change', 'a.change', 'e.change')} END`;
