import { embeddedNode, TEMPLATE } from '../embedded-node.js';
import { checkTemplate } from '../texts.js';

/** Terminates the run with an error with this message. */
export interface ThrowErrorConfig {
  readonly messageTemplate: string;
}

export const THROW_ERROR = embeddedNode<ThrowErrorConfig>(
  'ThrowErrorNode',
  { required: ['messageTemplate'], properties: { messageTemplate: TEMPLATE } },
  ({ messageTemplate }) => checkTemplate('messageTemplate', messageTemplate),
);
