import { PayloadTooLarge } from '../../lib/errors/errors.js';

/** Trigger and payload that start a run. */
export interface RunTrigger {
  /** Type of the trigger, such as `webhook`. */
  type: string;
  key: string;
  /** Payload that the workflow receives as `data`. */
  data: unknown;
  /** ID of the source, such as a webhook or the user who pressed a virtual button. */
  sourceId?: string;
  /** Type of the source, such as `user`, if the type of the trigger allows several. */
  sourceType?: string;
  /** Time of the event in UTC, if it differs from that of the request, such as the time of a report. */
  time?: string;
  /** Endpoint, user and version of a request to an experience. */
  experience?: unknown;
  /** Network of the client of a request to an experience. Not part of the payload. */
  network?: string;
  /** Additional data: metadata supplied with a button press, and the deployment in which the button was pressed. */
  meta?: unknown;
  /** Reported text that is no valid state; `data` is then `null`. */
  original?: string;
  deploymentId?: string;
}

/** Maximum size of a stored trigger without its type and key, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Serializes a trigger without its type and key. Throws `413` if it is too large; JSON escapes can multiply the size of
 * the request.
 */
export function textOf(trigger: Omit<RunTrigger, 'type' | 'key'>): string {
  const text = JSON.stringify(trigger);
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new PayloadTooLarge('The payload for workflows is larger than 1 MiB');
  return text;
}
