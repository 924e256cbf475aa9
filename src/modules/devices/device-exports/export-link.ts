import type { TemporaryLink } from '../../../platform/blobs/temporary-blobs.js';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import type { Outcome } from '../../../platform/callbacks/outcomes.js';
import { linkSchema, timeSchema } from '../../../platform/fields/schema.js';

/** Lifetime of the download link and of the exported file, in seconds. */
export const LINK_SECONDS = 24 * 60 * 60;

export const EXPORT_LINK = {
  url: linkSchema('Link to the exported file.', 'the time until `expiresAt`'),
  expiresAt: timeSchema('Time at which the link expires, in UTC.'),
};
/** Callback of a job that ends with `linkOutcome`. */
export const EXPORT_CALLBACK = callbackSchema('Export', EXPORT_LINK);

/** Returns the outcome of an export: the link and its expiry. */
export function linkOutcome({ url, endsAt }: TemporaryLink): Outcome {
  const text = `Download it until ${endsAt.toUTCString()}:\n${url}\n\nAnyone with this link can download it.`;
  return { data: { url, expiresAt: endsAt.toISOString() }, text };
}
