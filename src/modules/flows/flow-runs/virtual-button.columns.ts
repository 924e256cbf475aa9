import { inspect } from '../../../platform/server/read-body.js';

/** SQL of the workflow, the version and the button that a press names. */
export interface PressSql {
  readonly applicationId: string;
  readonly flowId: string;
  /** Name of the version, `develop` or `default`. */
  readonly version: string;
  readonly key: string;
}

/** Returns SQL that finds a button: no row if the workflow does not exist. */
export const buttonSql = ({ applicationId, flowId, version, key }: PressSql): string =>
  `SELECT f.name, f.flow_class, a.name AS application_name, v.id AS flow_version_id,
    v.id IS NOT NULL OR ${version} = 'develop' OR (${version} = 'default' AND f.default_version_id IS NULL) AS has_version,
    button.found IS NOT NULL AS has_button, button.found->'meta'->>'payload' AS own_payload,
    f.enabled AND coalesce(v.enabled, true) AS is_enabled
  FROM flows f JOIN applications a ON a.id = f.application_id
  LEFT JOIN flow_versions v ON v.flow_id = f.id
    AND CASE ${version} WHEN 'default' THEN v.id = f.default_version_id ELSE v.version = ${version} END
  LEFT JOIN LATERAL (SELECT t AS found FROM jsonb_array_elements(coalesce(v.triggers, f.triggers)) t
    WHERE t->>'type' = 'virtualButton' AND t->>'key' = ${key} LIMIT 1) button ON true
  WHERE f.application_id = ${applicationId} AND f.id = ${flowId}`;

/** Returns the payload of a press without one: that of the button, or an empty object. */
export function ownPayload(json: string | null): unknown {
  try {
    const payload: unknown = JSON.parse(json || '{}');
    inspect(payload);
    return payload;
  } catch {
    // Texts of buttons are checked less strictly than requests are.
    return {};
  }
}
