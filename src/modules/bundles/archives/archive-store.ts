/** Destination for archives. An object appears completely or not at all, and replaces one with the same key. */
export interface ArchiveStore {
  /** Throws `ArchiveRejected` if the settings are at fault, and any other error if a retry may succeed. */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
}

/** A place in a store and the credentials to write to it. */
export type ArchivePlace =
  | { kind: 's3'; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  | { kind: 'gcs'; bucket: string; clientEmail: string; privateKey: string }
  | { kind: 'azure'; bucket: string; account: string; accountKey: string };

/** Settings that a store can reject, with the wording for error messages. */
const FAULTS = {
  bucket: 'does not exist',
  region: 'is not the region of the bucket',
  access: 'is not allowed to write to the bucket',
} as const;
export type ArchiveFault = keyof typeof FAULTS;

/** Thrown if a store rejects a write because of invalid settings. */
export class ArchiveRejected extends Error {
  constructor(
    readonly fault: ArchiveFault,
    options?: ErrorOptions,
  ) {
    super(FAULTS[fault], options);
  }
}

export const CONTENT_TYPE = 'text/csv';
/**
 * Size of an upload part and therefore the memory per object; a multiple of the part size that every store requires.
 */
export const PART_BYTES = 8 * 1024 * 1024;
/** Timeout for uploading a part. */
export const PART_TIMEOUT_MS = 60_000;

/** A part of an object: its offset and whether it is the last. */
export interface ArchivePart {
  bytes: Buffer;
  from: number;
  isLast: boolean;
}

/** Splits content into parts of `PART_BYTES`. The last part may be shorter, and is empty if there is no content. */
export async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<ArchivePart> {
  let held: Buffer[] = [];
  let size = 0;
  let from = 0;
  for await (const chunk of content) {
    held.push(chunk);
    size += chunk.length;
    while (size > PART_BYTES) {
      const all = Buffer.concat(held, size);
      yield { bytes: all.subarray(0, PART_BYTES), from, isLast: false };
      from += PART_BYTES;
      held = [all.subarray(PART_BYTES)];
      size -= PART_BYTES;
    }
  }
  yield { bytes: Buffer.concat(held, size), from, isLast: true };
}

/** Encodes a key as a URL path. */
export const encodedKey = (key: string): string => key.split('/').map(encodeURIComponent).join('/');
