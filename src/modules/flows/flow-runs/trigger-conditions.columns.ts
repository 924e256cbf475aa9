/**
 * Returns SQL that generates the ID of one of several rows of a statement. Takes the time and counter from the ID at
 * `place`, so that IDs sort by creation, and adds a random part.
 */
export const idLikeSql = (place: string): string =>
  `left(${place}, 8) || right(${place}, 6) || substr(replace(gen_random_uuid()::text, '-', ''), 23)`;

const joinWhere = (runs: string) => `JOIN LATERAL (
    SELECT f.id FROM flows f LEFT JOIN flow_versions v ON v.id = g.flow_version_id WHERE f.id = g.flow_id AND ${runs}
    OFFSET 0 FOR KEY SHARE OF f) f ON true`;
const CLOUD_CONDITION = `f.flow_class = 'cloud' AND f.enabled AND (g.flow_version_id IS NULL OR v.enabled)`;
/** A version of an experience keeps its own `enabled`, independently of the development version. */
const EXPERIENCE_CONDITION = `f.flow_class = 'experience' AND CASE WHEN g.flow_version_id IS NULL THEN f.enabled ELSE v.enabled END`;

/**
 * Joins a trigger `g` with its workflow `f`, if the workflow can run. Reads the workflow by primary key and, like a
 * foreign key, prevents its deletion until the run is stored.
 */
export const JOIN_RUNNING = joinWhere(CLOUD_CONDITION);

/**
 * Joins a trigger of an endpoint with its workflow, of the class `c.flow_class`: one of the application or of the
 * experience.
 */
export const JOIN_REQUESTED = joinWhere(
  `c.flow_class = f.flow_class AND (${CLOUD_CONDITION} OR ${EXPERIENCE_CONDITION})`,
);
