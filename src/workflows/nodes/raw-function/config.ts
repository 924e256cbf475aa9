import { nodeConfig, OPTIONAL_PATH } from '../node-config.js';
import { checkOptionalPath } from '../texts.js';

const MAX_SCRIPT_LENGTH = 131_072;

/**
 * Runs a script with the payload, or the value at `scopePath`. The value that it changed or returned takes the place of
 * the former one.
 */
export interface RawFunctionConfig {
  readonly script: string;
  readonly scopePath?: string;
}

export const config = nodeConfig<RawFunctionConfig>(
  {
    required: ['script'],
    properties: { script: { type: 'string', maxLength: MAX_SCRIPT_LENGTH }, scopePath: OPTIONAL_PATH },
  },
  ({ scopePath }) => checkOptionalPath('scopePath', scopePath),
);
