/** Where archives are written to. An object appears whole or not at all, and takes the place of one with the same key. */
export interface ArchiveStore {
  /** Throws `ArchiveRefused` where settings are at fault, anything else where it may work another time. */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
}

/** A place in a store, with what it takes to write there. */
export type ArchivePlace =
  | { kind: 's3'; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  | { kind: 'gcs'; bucket: string; clientEmail: string; privateKey: string }
  | { kind: 'azure'; bucket: string; account: string; accountKey: string };

/** What of its settings a store does not take, by the words for it. */
const FAULTS = {
  bucket: 'names none that is there',
  region: 'is not where the bucket is',
  access: 'may not write there',
} as const;
export type ArchiveFault = keyof typeof FAULTS;

/** A store takes nothing, by fault of its settings. */
export class ArchiveRefused extends Error {
  constructor(
    readonly fault: ArchiveFault,
    options?: ErrorOptions,
  ) {
    super(FAULTS[fault], options);
  }
}

export const CONTENT_TYPE = 'text/csv';
/** What is sent at a time, and so in memory of an object; a multiple of what every store asks for. */
export const PART_BYTES = 8 * 1024 * 1024;
/** How long a part may take. */
export const PART_MS = 60_000;

/** A part of an object: where it begins, and whether it is the last. */
export interface ArchivePart {
  bytes: Buffer;
  from: number;
  isLast: boolean;
}

/** Content in parts of `PART_BYTES`, the last of which may be shorter, and is empty where there is no content. */
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

/** The path of a key in a URL. */
export const encodedKey = (key: string): string => key.split('/').map(encodeURIComponent).join('/');
