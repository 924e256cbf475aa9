/** SQL: nobody makes the slug that is the id of the application, so no count or limit is of it. */
export const MADE_SLUGS = 'r.slug <> r.application_id';
