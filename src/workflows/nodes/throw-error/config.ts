import { embeddedNode, TEMPLATE } from '../embedded-node.js';
import { checkTemplate } from '../texts.js';

/** Ends the run with an error of this message. */
export interface ThrowErrorConfig {
  readonly messageTemplate: string;
}

export const THROW_ERROR = embeddedNode<ThrowErrorConfig>(
  'ThrowErrorNode',
  { required: ['messageTemplate'], properties: { messageTemplate: TEMPLATE } },
  ({ messageTemplate }) => checkTemplate('messageTemplate', messageTemplate),
);
