import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a command to Redis. */
export const redisNode: NodeKind = {
  type: 'RedisNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
