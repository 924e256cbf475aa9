import { requireProperty } from '../config-fault.js';
import { choice, nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkNumber, checkOptionalTarget, checkPath, checkTemplate, checkValue } from '../texts.js';

/** Stores a value in the workflow's storage, increments or decrements it, or deletes it. */
export interface StoreValueConfig {
  readonly keyName: string;
  readonly valueType: (typeof STORED_TYPES)[number];
  readonly value?: string | number;
  readonly valuePath?: string;
  readonly resultPath?: string;
}

/** Returns the path to store; embedded workflows have it in `value`. */
export function pathOf({ value, valuePath }: Pick<StoreValueConfig, 'value' | 'valuePath'>): string {
  return valuePath || String(value ?? '');
}

const STORED_TYPES = ['template', 'json', 'number', 'path', 'incr', 'decr', 'clear'] as const;

export const config = nodeConfig<StoreValueConfig>(
  {
    required: ['keyName', 'valueType'],
    properties: {
      keyName: { ...TEMPLATE, minLength: 1 },
      valueType: choice(...STORED_TYPES),
      value: { anyOf: [TEMPLATE, { type: 'number' }] },
      valuePath: OPTIONAL_PATH,
      resultPath: OPTIONAL_PATH,
    },
  },
  ({ keyName, valueType, value, valuePath, resultPath }) => {
    checkTemplate('keyName', keyName);
    if (valueType === 'path') checkPath('value', requireProperty('value', pathOf({ value, valuePath })));
    else if (valueType === 'template' || valueType === 'json')
      checkValue('value', valueType, String(requireProperty('value', value)));
    else if (valueType !== 'clear') checkNumber('value', requireProperty('value', value));
    checkOptionalTarget('resultPath', resultPath);
  },
);
