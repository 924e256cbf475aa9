import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Replies to the caller of an endpoint of an experience. */
export const endpointReplyNode: NodeKind = {
  type: 'EndpointReplyNode',
  classes: ['cloud', 'customNode', 'experience'],
  run,
};
