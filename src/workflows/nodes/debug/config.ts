import { choice, nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkOptionalPath, checkTemplate } from '../texts.js';

const LEVELS = ['verbose', 'info', 'warn', 'error'] as const;

/** Logs the payload, or the value at `property`, for debugging. */
export interface DebugConfig {
  readonly message?: string;
  readonly property?: string;
  readonly level?: (typeof LEVELS)[number];
}

export const config = nodeConfig<DebugConfig>(
  {
    properties: {
      message: TEMPLATE,
      property: OPTIONAL_PATH,
      level: choice(...LEVELS),
    },
  },
  ({ message = '', property }) => {
    checkTemplate('message', message);
    checkOptionalPath('property', property);
  },
);
