import { PayloadTooLarge } from '../../../lib/errors/errors.js';
import type { RunTrigger } from './flow-run-payload.entity.js';

/** Of what workflows get. */
const MOST_BYTES = 1024 * 1024;

/** As it is stored, or 413. Bytes that are cast to JSON may be several times what was sent. */
export function textOf(trigger: RunTrigger): string {
  const text = JSON.stringify(trigger);
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw new PayloadTooLarge('What workflows would get of the request is larger than 1 MiB');
  return text;
}
