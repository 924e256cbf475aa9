import { choice, embeddedNode, OPTIONAL_PATH, TEMPLATE } from '../embedded-node.js';
import { checkOptionalPath, checkTemplate } from '../texts.js';

/** Logs the payload, or the value at `property`, for debugging. */
export interface DebugConfig {
  readonly message?: string;
  readonly property?: string;
}

export const DEBUG = embeddedNode<DebugConfig>(
  'DebugNode',
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
