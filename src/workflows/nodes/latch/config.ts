import { embeddedNode, EXPRESSION, OPTIONAL_PATH, TEMPLATE } from '../embedded-node.js';
import { checkOptionalExpression, checkOptionalTarget, checkTemplate } from '../texts.js';

/**
 * Leads to output 1 when `latchExpression` is true and the latch is open, which closes it, else to output 0. It opens when
 * `resetExpression` is true. Each text of `latchIdTemplate` has a latch of its own.
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

export const LATCH = embeddedNode<LatchConfig>(
  'LatchNode',
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
