/** SQL of an id of a row that a statement makes many of: of the time and the counter of the id at `place`, so that they sort as they were made, and chance. */
export const idLikeSql = (place: string): string =>
  `left(${place}, 8) || right(${place}, 6) || substr(replace(gen_random_uuid()::text, '-', ''), 23)`;

/**
 * Joins to a trigger `g` its workflow `f`, where that runs. It is read by its key, and kept from being removed until the run is
 * stored, as a foreign key would.
 */
export const JOIN_RUNNING = `JOIN LATERAL (
    SELECT f.id FROM flows f LEFT JOIN flow_versions v ON v.id = g.flow_version_id
    WHERE f.id = g.flow_id AND f.flow_class = 'cloud' AND f.enabled AND (g.flow_version_id IS NULL OR v.enabled)
    OFFSET 0 FOR KEY SHARE OF f) f ON true`;
