import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { newId } from '../../../lib/ids/ids.js';
import { invalidSetting } from '../../engine/run-error.js';
import { integerWithin } from '../run-values.js';
import { MAX_CHARACTERS, type IdType } from './config.js';

/** Rendered settings, on which some types of IDs depend. */
export interface IdOptions {
  readonly namespace: () => string;
  readonly name: () => string;
  readonly length: () => number;
}

export const MAKERS: Readonly<Record<IdType, (options: IdOptions) => string>> = {
  uuidv1: () => uuidOfTime(Date.now()),
  uuidv3: (options) => uuidOfName('md5', 3, options),
  uuidv4: () => randomUUID(),
  uuidv5: (options) => uuidOfName('sha1', 5, options),
  objectid: () => newId(),
  nanoid: ({ length }) => nanoid(integerWithin(length(), 'numCharactersTemplate', 1, MAX_CHARACTERS)),
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the UUID of a name in a namespace (RFC 9562). */
function uuidOfName(digest: 'md5' | 'sha1', version: number, { namespace, name }: IdOptions): string {
  const space = namespace();
  if (!UUID.test(space)) throw invalidSetting('namespaceTemplate', 'must be a UUID');
  const hash = createHash(digest)
    .update(Buffer.from(space.replaceAll('-', ''), 'hex'))
    .update(name());
  return uuidOf(hash.digest().subarray(0, 16), version);
}

/** Offset from the epoch of UUID timestamps (1582) to 1970 in units of 100 ns. */
const GREGORIAN = 122_192_928_000_000_000n;
const UNITS_PER_MILLISECOND = 10_000n;

/** Clock sequence and random node ID of this process; the bit marks the node ID as random, not a MAC address. */
const node = randomBytes(8);
node[2]! |= 1;
let lastTime = 0n;

/** Returns a UUID of a time in milliseconds, with a strictly increasing timestamp. */
function uuidOfTime(milliseconds: number): string {
  const time = BigInt(milliseconds) * UNITS_PER_MILLISECOND + GREGORIAN;
  lastTime = time > lastTime ? time : lastTime + 1n;
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(Number(lastTime & 0xffffffffn), 0);
  bytes.writeUInt16BE(Number((lastTime >> 32n) & 0xffffn), 4);
  bytes.writeUInt16BE(Number((lastTime >> 48n) & 0xffffn), 6);
  node.copy(bytes, 8);
  return uuidOf(bytes, 1);
}

/** Sets the version and variant of a UUID. */
function uuidOf(bytes: Buffer, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
