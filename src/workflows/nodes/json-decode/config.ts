import { requireProperty } from '../config-fault.js';
import { choice, nodeConfig, OPTIONAL_PATH, PATH } from '../node-config.js';
import { checkPath, checkTarget } from '../texts.js';

/**
 * Parses the JSON text at `source`. Invalid JSON terminates the run, unless `errorPath` is set to receive the error.
 */
export interface JsonDecodeConfig {
  readonly source: string;
  readonly destination: string;
  readonly errorBehavior?: 'throw' | 'payloadPath';
  readonly errorPath?: string;
}

export const config = nodeConfig<JsonDecodeConfig>(
  {
    required: ['source', 'destination'],
    properties: {
      source: PATH,
      destination: PATH,
      errorBehavior: choice('throw', 'payloadPath'),
      errorPath: OPTIONAL_PATH,
    },
  },
  ({ source, destination, errorBehavior, errorPath }) => {
    checkPath('source', source);
    checkTarget('destination', destination);
    if (errorBehavior === 'payloadPath') checkTarget('errorPath', requireProperty('errorPath', errorPath));
  },
);
