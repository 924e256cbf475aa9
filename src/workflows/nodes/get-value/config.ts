import { requireProperty } from '../config-fault.js';
import { choice, nodeConfig, FLAG, PATH, TEMPLATE } from '../node-config.js';
import { checkTarget, checkTemplate, checkValue, VALUE_TYPES, type ValueType } from '../texts.js';

/**
 * Reads a value of the workflow's storage, or the default if it does not exist. With `getAll`, reads all values by key.
 */
export interface GetValueConfig {
  readonly keyName?: string;
  readonly valuePath: string;
  readonly getAll?: boolean;
  readonly defaultValue?: string;
  readonly defaultValueType?: ValueType;
}

export const config = nodeConfig<GetValueConfig>(
  {
    required: ['valuePath'],
    properties: {
      keyName: TEMPLATE,
      valuePath: PATH,
      getAll: FLAG,
      defaultValue: TEMPLATE,
      defaultValueType: choice(...VALUE_TYPES),
    },
  },
  ({ keyName, valuePath, getAll, defaultValue, defaultValueType = 'template' }) => {
    if (!getAll) checkTemplate('keyName', requireProperty('keyName', keyName));
    checkTarget('valuePath', valuePath);
    if (!getAll && defaultValue) checkValue('defaultValue', defaultValueType, defaultValue);
  },
);
