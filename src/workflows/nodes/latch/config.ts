import { nodeConfig, EXPRESSION, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkOptionalExpression, checkOptionalTarget, checkTemplate } from '../texts.js';

/**
 * Continues with output 1 if `latchExpression` is true and the latch is open, and closes the latch; otherwise with
 * output 0. The latch opens if `resetExpression` is true. Each value of `latchIdTemplate` has a separate latch.
 */
export interface LatchConfig {
  readonly latchExpression?: string;
  readonly resetExpression?: string;
  readonly latchIdTemplate?: string;
  readonly latchResultPath?: string;
  readonly resetResultPath?: string;
  readonly wasLatchedPath?: string;
  readonly isLatchedPath?: string;
  readonly branchPath?: string;
}

const EXPRESSIONS = ['latchExpression', 'resetExpression'] as const;
const PATHS = [
  'latchResultPath',
  'resetResultPath',
  'wasLatchedPath',
  'isLatchedPath',
  'branchPath',
] as const;

export const config = nodeConfig<LatchConfig>(
  {
    properties: {
      latchIdTemplate: TEMPLATE,
      ...Object.fromEntries(EXPRESSIONS.map((member) => [member, EXPRESSION])),
      ...Object.fromEntries(PATHS.map((member) => [member, OPTIONAL_PATH])),
    },
  },
  (config) => {
    for (const member of EXPRESSIONS) checkOptionalExpression(member, config[member]);
    checkTemplate('latchIdTemplate', config.latchIdTemplate ?? '');
    for (const member of PATHS) checkOptionalTarget(member, config[member]);
  },
);
