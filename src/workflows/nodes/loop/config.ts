import { nodeConfig, FLAG, OPTIONAL_PATH, PATH } from '../node-config.js';
import { checkOptionalPath, checkOptionalTarget, checkPath, checkTarget } from '../texts.js';

/**
 * Executes the nodes inside it for each item of the array, property of the object or character of the text at
 * `loopSourcePath`, or as many times as the number there. `currentItemPath` holds `{ value, index, key?, first?, last?
 * }`. With `mapResultPath`, collects the value at `mapValuePath` at the end of each iteration.
 */
export interface LoopConfig {
  readonly loopSourcePath: string;
  readonly currentItemPath: string;
  readonly mapResultPath?: string;
  readonly mapValuePath?: string;
  /** Executes several iterations at once, each with the payload before the loop. */
  readonly parallel?: boolean;
}

export const config = nodeConfig<LoopConfig>(
  {
    required: ['loopSourcePath', 'currentItemPath'],
    properties: {
      loopSourcePath: PATH,
      currentItemPath: PATH,
      mapResultPath: OPTIONAL_PATH,
      mapValuePath: OPTIONAL_PATH,
      parallel: FLAG,
    },
  },
  ({ loopSourcePath, currentItemPath, mapResultPath, mapValuePath }) => {
    checkPath('loopSourcePath', loopSourcePath);
    checkTarget('currentItemPath', currentItemPath);
    checkOptionalTarget('mapResultPath', mapResultPath);
    checkOptionalPath('mapValuePath', mapValuePath);
  },
);
