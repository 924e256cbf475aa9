import type { TemporaryLink } from '../../../platform/blobs/temporary-blobs.js';
import type { Outcome } from '../../../platform/callbacks/outcomes.js';

/** Lifetime of the download link and of the exported file, in seconds. */
export const LINK_SECONDS = 24 * 60 * 60;

/** Returns the outcome of an export: the link and its expiry. */
export function linkOutcome({ url, endsAt }: TemporaryLink): Outcome {
  const text = `Download it until ${endsAt.toUTCString()}:\n${url}\n\nAnyone with this link can download it.`;
  return { data: { url, expiresAt: endsAt.toISOString() }, text };
}
