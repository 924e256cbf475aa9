import type { Rule } from 'eslint';

/** ESLint rule: comments contain no refused phrase and no sentence that is too long. */
export const plainComments: Rule.RuleModule;
