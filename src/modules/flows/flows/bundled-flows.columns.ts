/**
 * SQL condition: the workflow `t` exists in development, and not only in versions of an experience. One condition is
 * for experience workflows, the other for all others.
 */
export const DEVELOPED_EXPERIENCE = `t.in_develop AND t.flow_class = 'experience'`;
export const DEVELOPED_OTHERS = `t.in_develop AND t.flow_class <> 'experience'`;

/** SQL condition: the workflow version `t` belongs to a version of the experience, or does not. */
export const IS_EXPERIENCE_FLOW = `t.flow_class = 'experience'`;
export const IS_OTHER_FLOW = `t.flow_class <> 'experience'`;
