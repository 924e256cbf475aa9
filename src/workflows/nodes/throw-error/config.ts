import { nodeConfig, TEMPLATE } from '../node-config.js';
import { checkTemplate } from '../texts.js';

/** Terminates the run with an error with this message. */
export interface ThrowErrorConfig {
  readonly messageTemplate: string;
}

export const config = nodeConfig<ThrowErrorConfig>(
  { required: ['messageTemplate'], properties: { messageTemplate: TEMPLATE } },
  ({ messageTemplate }) => checkTemplate('messageTemplate', messageTemplate),
);
