/** SQL of whether `t`, a workflow, is being developed, and not only in versions of the experience. */
export const DEVELOPED = 't.in_develop';

/** SQL of whether only versions of the experience have it. */
export const KEPT = 'NOT t.in_develop';

/** SQL of whether `t`, a version of a workflow, is one that a version of the experience keeps. */
export const OF_EXPERIENCE = `t.flow_class = 'experience'`;
export const OF_OTHERS = `t.flow_class <> 'experience'`;
