import { createHash } from 'node:crypto';
import { ID_EXAMPLE } from './fields.js';

const PREFIX_LENGTH = 18;

/** Returns the ID that every example of the document gives to a resource, such as to the `device`. */
export function exampleId(noun: string): string {
  if (noun === 'application') return ID_EXAMPLE;
  const hash = createHash('sha256').update(noun).digest('hex');
  return ID_EXAMPLE.slice(0, PREFIX_LENGTH) + hash.slice(0, ID_EXAMPLE.length - PREFIX_LENGTH);
}
