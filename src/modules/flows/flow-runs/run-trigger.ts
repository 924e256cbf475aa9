import { PayloadTooLarge } from '../../../lib/errors/errors.js';
import type { RunTrigger } from './flow-run-payload.entity.js';

/** Maximum size of a stored trigger, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Serializes a trigger. Throws `413` if it is too large; JSON escapes can multiply the size of the request. */
export function textOf(trigger: RunTrigger): string {
  const text = JSON.stringify(trigger);
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new PayloadTooLarge('The payload for workflows is larger than 1 MiB');
  return text;
}
