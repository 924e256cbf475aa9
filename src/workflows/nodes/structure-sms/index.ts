import { RunFault } from '../../engine/run-error.js';
import type { NodeKind } from '../node-kind.js';

/** Would send a text message. The platform has no gateway, so its run fails. */
export const structureSmsNode: NodeKind = {
  type: 'StructureSmsNode',
  classes: ['cloud', 'customNode', 'experience'],
  run: {
    prepare: () => () => {
      throw new RunFault('NotAvailable', 'Text messages are not available on this platform');
    },
  },
};
