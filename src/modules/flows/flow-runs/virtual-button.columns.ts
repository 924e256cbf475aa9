/** SQL of the workflow and the version that a press names, and of the button that it presses. */
export interface PressSql {
  readonly applicationId: string;
  readonly flowId: string;
  /** Name of the version, `develop` or `default`. */
  readonly version: string;
  /** List of the trigger, as JSON. */
  readonly trigger: string;
}

/** Returns SQL that finds a button: no row if the workflow does not exist. */
export const buttonSql = ({ applicationId, flowId, version, trigger }: PressSql): string =>
  `SELECT f.name, f.flow_class, a.name AS application_name, v.id AS flow_version_id,
    v.id IS NOT NULL OR ${version} = 'develop' OR (${version} = 'default' AND f.default_version_id IS NULL) AS has_version,
    coalesce(v.triggers, f.triggers) @> ${trigger} AS has_button,
    f.enabled AND coalesce(v.enabled, true) AS is_enabled
  FROM flows f JOIN applications a ON a.id = f.application_id
  LEFT JOIN flow_versions v ON v.flow_id = f.id
    AND CASE ${version} WHEN 'default' THEN v.id = f.default_version_id ELSE v.version = ${version} END
  WHERE f.application_id = ${applicationId} AND f.id = ${flowId}`;
