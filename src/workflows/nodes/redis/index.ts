import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a command to Redis. */
export const redisNode: NodeKind = {
  type: 'RedisNode',
  classes: ENGINE_CLASSES,
  run,
};
