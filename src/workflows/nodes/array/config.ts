import { requireProperty } from '../config-fault.js';
import { choice, nodeConfig, OPTIONAL_PATH, PATH, TEMPLATE } from '../node-config.js';
import { checkExpression, checkNumber, checkOptionalTarget, checkPath, checkTemplate } from '../texts.js';

/** Applies its rules in order to a copy of the array at `sourceArrayPath`. */
export interface ArrayConfig {
  readonly sourceArrayPath: string;
  /** Path of the result if a rule changed the array. Defaults to the source path. */
  readonly destArrayPath?: string;
  readonly rules: readonly ArrayRule[];
}

export interface ArrayRule {
  readonly type: ArrayOperationName;
  readonly inputTemplate?: string;
  readonly indexTemplate?: string;
  readonly order?: 'ascending' | 'descending';
  readonly outputPath?: string;
}

type Need = 'required' | 'optional';

/** Inputs and outputs of an array operation. */
export interface ArrayOperation {
  /** Interpretation of `inputTemplate`. */
  readonly input?: 'template' | 'expression' | 'path';
  readonly inputNeed?: Need;
  readonly index?: Need;
  readonly output?: Need;
  /** Whether the operation changes the array itself, for subsequent rules and for `destArrayPath`. */
  readonly changes?: true;
}

const BY_MEMBER = { input: 'path', inputNeed: 'required', output: 'required' } as const;

export const ARRAY_OPERATIONS = {
  compact: { changes: true },
  concat: { input: 'template', inputNeed: 'required', changes: true },
  deduplicate: { changes: true },
  deduplicateBy: BY_MEMBER,
  filter: { input: 'expression', inputNeed: 'required', output: 'required' },
  flatten: { changes: true },
  groupBy: BY_MEMBER,
  indexOf: { input: 'template', output: 'required' },
  insertAt: { input: 'template', index: 'required', changes: true },
  keyBy: BY_MEMBER,
  length: { output: 'required' },
  lookupAt: { index: 'required', output: 'required' },
  pop: { output: 'optional', changes: true },
  push: { input: 'template', changes: true },
  removeAt: { index: 'required', output: 'optional', changes: true },
  replaceAt: { input: 'template', index: 'required', output: 'optional', changes: true },
  reverse: { changes: true },
  shift: { output: 'optional', changes: true },
  slice: { input: 'template', index: 'optional', changes: true },
  sort: { output: 'required' },
  sortBy: BY_MEMBER,
  sum: { output: 'required' },
  unshift: { input: 'template', changes: true },
} as const satisfies Record<string, ArrayOperation>;

export type ArrayOperationName = keyof typeof ARRAY_OPERATIONS;

export const config = nodeConfig<ArrayConfig>(
  {
    required: ['sourceArrayPath', 'rules'],
    properties: {
      sourceArrayPath: PATH,
      destArrayPath: OPTIONAL_PATH,
      rules: {
        type: 'array',
        maxItems: 15,
        items: {
          type: 'object',
          required: ['type'],
          properties: {
            type: choice(...Object.keys(ARRAY_OPERATIONS)),
            inputTemplate: TEMPLATE,
            indexTemplate: TEMPLATE,
            order: choice('ascending', 'descending'),
            outputPath: OPTIONAL_PATH,
          },
        },
      },
    },
  },
  ({ sourceArrayPath, destArrayPath, rules }) => {
    checkPath('sourceArrayPath', sourceArrayPath);
    checkOptionalTarget('destArrayPath', destArrayPath);
    rules.forEach((rule, i) => checkRule(`rules.${i}`, rule));
  },
);

const CHECKS = { template: checkTemplate, expression: checkExpression, path: checkPath } as const;

function checkRule(at: string, { type, inputTemplate, indexTemplate, outputPath }: ArrayRule): void {
  const { input, inputNeed, index, output }: ArrayOperation = ARRAY_OPERATIONS[type];
  if (input) CHECKS[input](`${at}.inputTemplate`, given(`${at}.inputTemplate`, inputTemplate, inputNeed));
  const place = index && given(`${at}.indexTemplate`, indexTemplate, index);
  if (place) checkNumber(`${at}.indexTemplate`, place);
  if (output) checkOptionalTarget(`${at}.outputPath`, given(`${at}.outputPath`, outputPath, output));
}

function given(at: string, text: string | undefined, need: Need = 'optional'): string {
  return need === 'required' ? requireProperty(at, text) : (text ?? '');
}
