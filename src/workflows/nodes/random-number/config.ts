import { nodeConfig, NUMBER, PATH } from '../node-config.js';
import { checkNumber, checkTarget } from '../texts.js';

/** Generates a random integer between `min` and `max`, inclusive, or `null` if the range contains no integer. */
export interface RandomNumberConfig {
  readonly min: string | number;
  readonly max: string | number;
  readonly resultPath: string;
}

export const config = nodeConfig<RandomNumberConfig>(
  {
    required: ['min', 'max', 'resultPath'],
    properties: { min: NUMBER, max: NUMBER, resultPath: PATH },
  },
  ({ min, max, resultPath }) => {
    checkNumber('min', min);
    checkNumber('max', max);
    checkTarget('resultPath', resultPath);
  },
);
