/** SQL of an id of a row that a statement makes many of: of the time and the counter of the id at `place`, so that they sort as they were made, and chance. */
export const idLikeSql = (place: string): string =>
  `left(${place}, 8) || right(${place}, 6) || substr(replace(gen_random_uuid()::text, '-', ''), 23)`;

const joinWhere = (runs: string) => `JOIN LATERAL (
    SELECT f.id FROM flows f LEFT JOIN flow_versions v ON v.id = g.flow_version_id WHERE f.id = g.flow_id AND ${runs}
    OFFSET 0 FOR KEY SHARE OF f) f ON true`;
const IN_CLOUD = `f.flow_class = 'cloud' AND f.enabled AND (g.flow_version_id IS NULL OR v.enabled)`;
/** What a version of an experience keeps stays on where it is switched off in `develop`. */
const IN_EXPERIENCE = `f.flow_class = 'experience' AND CASE WHEN g.flow_version_id IS NULL THEN f.enabled ELSE v.enabled END`;

/**
 * Joins to a trigger `g` its workflow `f`, where that runs. It is read by its key, and kept from being removed until the run is
 * stored, as a foreign key would.
 */
export const JOIN_RUNNING = joinWhere(IN_CLOUD);

/** The same of an endpoint, of workflows of the class `c.flow_class`: of the application, or of the experience. */
export const JOIN_ASKED = joinWhere(`c.flow_class = f.flow_class AND (${IN_CLOUD} OR ${IN_EXPERIENCE})`);
