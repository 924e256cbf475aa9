import type { Author } from '../../../platform/audit/author.js';
import type { EventSource } from './event.schemas.js';

const MAX_NAME_LENGTH = 255;

/** Returns the source of an event from the author of a request. */
export function sourceOf(by: Author): EventSource {
  const { token, name } = by.caller;
  const sourceName = (token?.name ?? name ?? '').slice(0, MAX_NAME_LENGTH).toWellFormed();
  return { sourceType: by.type, sourceId: by.id, sourceName: sourceName || undefined };
}
