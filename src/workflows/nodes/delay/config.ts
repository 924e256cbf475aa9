import { ConfigFault } from '../config-fault.js';
import { nodeConfig, NUMBER } from '../node-config.js';
import { checkNumber } from '../texts.js';

/** Waits for a number of seconds. */
export interface DelayConfig {
  readonly delay: string | number;
}

export const MAX_DELAY_SECONDS = 3600;

export const config = nodeConfig<DelayConfig>(
  { required: ['delay'], properties: { delay: NUMBER } },
  ({ delay }) => {
    checkNumber('delay', delay);
    const seconds = Number(delay);
    if (seconds < 0 || seconds > MAX_DELAY_SECONDS)
      throw new ConfigFault('delay', `must be from 0 to ${MAX_DELAY_SECONDS} seconds`);
  },
);
