import { needed } from './config-fault.js';
import { choice, embeddedNode, NUMBER, OPTIONAL_PATH, TEMPLATE } from './embedded-node.js';
import { checkNumber, checkOptionalTarget, checkPath, checkTemplate, checkValue } from './texts.js';

/** Keeps a value in the workflow's storage, counts up or down the one that is there, or removes it. */
export interface StoreValueConfig {
  readonly keyName: string;
  readonly valueType: (typeof STORED_TYPES)[number];
  readonly value?: string | number;
  readonly valuePath?: string;
  readonly resultPath?: string;
}

const STORED_TYPES = ['template', 'json', 'number', 'path', 'incr', 'decr', 'clear'] as const;

export const STORE_VALUE = embeddedNode<StoreValueConfig>(
  'StoreValueNode',
  {
    required: ['keyName', 'valueType'],
    properties: {
      keyName: { ...TEMPLATE, minLength: 1 },
      valueType: choice(...STORED_TYPES),
      value: NUMBER,
      valuePath: OPTIONAL_PATH,
      resultPath: OPTIONAL_PATH,
    },
  },
  ({ keyName, valueType, value, valuePath, resultPath }) => {
    checkTemplate('keyName', keyName);
    if (valueType === 'path') checkPath('valuePath', needed('valuePath', valuePath));
    else if (valueType === 'template' || valueType === 'json')
      checkValue('value', valueType, String(needed('value', value)));
    else if (valueType !== 'clear') checkNumber('value', needed('value', value));
    checkOptionalTarget('resultPath', resultPath);
  },
);
