import { choice, nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkOptionalPath, checkTemplate } from '../texts.js';

/** Logs the payload, or the value at `property`, for debugging. */
export interface DebugConfig {
  readonly message?: string;
  readonly property?: string;
}

export const config = nodeConfig<DebugConfig>(
  {
    properties: {
      message: TEMPLATE,
      property: OPTIONAL_PATH,
      level: choice('verbose', 'info', 'warn', 'error'),
    },
  },
  ({ message = '', property }) => {
    checkTemplate('message', message);
    checkOptionalPath('property', property);
  },
);
