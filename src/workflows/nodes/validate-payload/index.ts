import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Validates a value against a JSON Schema of draft 4. The second output is taken if it is valid. */
export const validatePayloadNode: NodeKind = {
  type: 'ValidatePayloadNode',
  classes: ENGINE_CLASSES,
  run,
};
