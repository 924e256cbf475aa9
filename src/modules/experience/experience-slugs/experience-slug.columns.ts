/**
 * SQL condition that excludes the slug with the ID of the application. It is created automatically and not part of
 * counts and limits.
 */
export const CREATED_SLUGS = 'r.slug <> r.application_id';
