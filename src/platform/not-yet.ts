/** What placeholders stand in for: families of the API contract, and the MQTT broker. */
export type MissingFamily = 'broker' | 'dashboards' | 'notebooks' | 'resourceJobs';

/**
 * Returns a placeholder unchanged: a value that is always empty, or a sentence about the gap. Once the family
 * exists, `test/suites/placeholders.spec.ts` fails until the placeholder is replaced.
 */
export const notYet = <const T>(_family: MissingFamily, placeholder: T): T => placeholder;
