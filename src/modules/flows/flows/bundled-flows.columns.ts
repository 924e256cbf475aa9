/** SQL of whether `t`, a workflow, is being developed, and not only in versions of the experience; of the experience, or not. */
export const DEVELOPED_EXPERIENCE = `t.in_develop AND t.flow_class = 'experience'`;
export const DEVELOPED_OTHERS = `t.in_develop AND t.flow_class <> 'experience'`;

/** SQL of whether `t`, a version of a workflow, is one that a version of the experience keeps. */
export const OF_EXPERIENCE = `t.flow_class = 'experience'`;
export const OF_OTHERS = `t.flow_class <> 'experience'`;
