import type { Author } from '../../../platform/audit/author.js';
import type { EventSource } from './event.schemas.js';

const LONGEST_NAME = 255;

/** Who asks, as an event tells of them. */
export function sourceOf(by: Author): EventSource {
  const { token, name } = by.caller;
  const sourceName = (token?.name ?? name ?? '').slice(0, LONGEST_NAME).toWellFormed();
  return { sourceType: by.type, sourceId: by.id, sourceName: sourceName || undefined };
}
