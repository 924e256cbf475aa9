import type { TemporaryLink } from '../../../platform/blobs/temporary-blobs.js';
import type { Outcome } from '../../../platform/callbacks/outcomes.js';

/** How long the link to what was exported is valid, and the file there. */
export const LINK_SECONDS = 24 * 60 * 60;

/** The end of an export: a link, and until when it is valid. */
export function linkOutcome({ url, endsAt }: TemporaryLink): Outcome {
  const text = `Download it until ${endsAt.toUTCString()}:\n${url}\n\nWhoever has this link can download it.`;
  return { data: { url, expiresAt: endsAt.toISOString() }, text };
}
