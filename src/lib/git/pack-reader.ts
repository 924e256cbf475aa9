import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { inflate, type Zlib } from 'node:zlib';
import { applyDelta, resultSize } from './delta.js';
import { GitFault } from './git-fault.js';
import { MAX_OBJECT_BYTES, oidOf, type GitObject, type GitType } from './objects.js';

const MIB = 1024 ** 2;
/** Maximum sizes by type. A tree takes ten times its size in memory; the largest known have 2 MiB. */
const MAX_BYTES: Readonly<Record<GitType, number>> = {
  blob: MAX_OBJECT_BYTES,
  tree: 4 * MIB,
  commit: MIB,
  tag: MIB,
};
const MAX_OBJECTS = 250_000;
/** Maximum number of bytes to decompress and to build from deltas, because a small pack may claim to be huge. */
const MAX_INFLATED_BYTES = 4 * 1024 ** 3;
/** A byte of a delta, which may be an instruction of its own, takes as long as this many bytes of an object. */
const DELTA_COST = 16;
const MAX_CACHED_BYTES = 64 * MIB;
/** The maximum depth that Git itself has created; its default is 50. */
const MAX_DELTA_DEPTH = 250;

const HEADER_BYTES = 12;
const HASH_BYTES = 20;
/** Maximum size of an object's header, including the base reference of a delta. */
const ENTRY_BYTES = 64;
const TYPES: Readonly<Record<number, GitType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;

/** Location of an object in the pack. */
interface Packed {
  offset: number;
  dataAt: number;
  /** Size of the packed content: an object or a delta. */
  size: number;
  type?: GitType;
  /** Base of a delta: its offset in the pack, or its ID. */
  base?: number | string;
  /** Number of deltas that lead to the object. */
  depth?: number;
}

/**
 * Reads the objects of an untrusted pack. All are read once to determine their IDs, and later individually on demand.
 * Memory holds the location of every object and the content of a few.
 */
export class PackReader {
  private readonly places = new Map<number, Packed>();
  private readonly known = new Map<string, { place: Packed; type: GitType; size: number }>();
  private readonly cache = new Map<number, GitObject>();
  private cached = 0;
  private work = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly end: number,
  ) {}

  /** Opens a file that contains only a pack. */
  static async open(path: string): Promise<PackReader> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const pack = new PackReader(file, size - HASH_BYTES);
      await pack.readAll(path);
      return pack;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  has(oid: string): boolean {
    return this.known.has(oid);
  }

  /** Returns the size of an object in bytes. */
  sizeOf(oid: string): number {
    return this.entry(oid).size;
  }

  async read(oid: string, type: GitType): Promise<GitObject> {
    const entry = this.entry(oid);
    if (entry.type !== type) throw corrupt();
    return this.objectAt(entry.place);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private entry(oid: string) {
    const entry = this.known.get(oid);
    if (!entry) throw new GitFault('access', 'leads to a repository with missing objects');
    return entry;
  }

  private async readAll(path: string): Promise<void> {
    const header = await this.bytes(0, HEADER_BYTES);
    const isPack = header.toString('latin1', 0, 4) === 'PACK' && header.readUInt32BE(4) === 2;
    if (!isPack) throw corrupt();
    const count = header.readUInt32BE(8);
    if (count > MAX_OBJECTS)
      throw new GitFault('access', `leads to a repository with more than ${MAX_OBJECTS} objects`);
    await this.checkHash(path);
    const deltas: Packed[] = [];
    let at = HEADER_BYTES;
    for (let n = 0; n < count; n++) {
      const place = await this.placeAt(at);
      const { content, packedBytes } = await this.inflated(place);
      this.places.set(at, place);
      if (place.type) this.index(place, { type: place.type, content });
      else deltas.push(place);
      at = place.dataAt + packedBytes;
    }
    if (at !== this.end) throw corrupt();
    await this.readDeltas(deltas);
  }

  /** Reads each delta once its base is known. */
  private async readDeltas(deltas: readonly Packed[]): Promise<void> {
    const waiting = new Map<number | string, Packed[]>();
    const ready: Packed[] = [];
    let left = deltas.length;
    for (const delta of deltas) {
      const base = delta.base!;
      const isKnown = typeof base === 'string' ? this.known.has(base) : this.places.get(base)?.type;
      if (isKnown) ready.push(delta);
      else if (waiting.has(base)) waiting.get(base)!.push(delta);
      else waiting.set(base, [delta]);
    }
    for (let delta = ready.pop(); delta; delta = ready.pop()) {
      delta.depth = (this.baseOf(delta).depth ?? 0) + 1;
      if (delta.depth > MAX_DELTA_DEPTH)
        throw new GitFault(
          'access',
          `leads to a repository with more than ${MAX_DELTA_DEPTH} deltas in a row`,
        );
      const oid = this.index(delta, await this.objectAt(delta));
      left -= 1;
      for (const key of [oid, delta.offset]) {
        for (const next of waiting.get(key) ?? []) ready.push(next);
        waiting.delete(key);
      }
    }
    if (left > 0) throw corrupt();
  }

  private index(place: Packed, object: GitObject): string {
    const oid = oidOf(object);
    this.known.set(oid, { place, type: object.type, size: object.content.length });
    return oid;
  }

  private async objectAt(place: Packed): Promise<GitObject> {
    const chain: Packed[] = [];
    let first = place;
    for (; first.base !== undefined && !this.cache.has(first.offset); first = this.baseOf(first)) {
      chain.push(first);
      if (chain.length > MAX_DELTA_DEPTH) throw corrupt();
    }
    let object = this.cache.get(first.offset) ?? (await this.inflateAt(first));
    for (const delta of chain.reverse()) {
      const { content } = await this.inflated(delta);
      this.countInflated(resultSize(content), object.type);
      object = { type: object.type, content: applyDelta(object.content, content) };
      this.cacheObject(delta, object);
    }
    return object;
  }

  private baseOf({ base }: Packed): Packed {
    const place = typeof base === 'string' ? this.known.get(base)?.place : this.places.get(base!);
    if (!place) throw corrupt();
    return place;
  }

  private async inflateAt(place: Packed): Promise<GitObject> {
    const { content } = await this.inflated(place);
    const object = { type: place.type!, content };
    this.cacheObject(place, object);
    return object;
  }

  /** Keeps the most recent objects, since deltas of the same object tend to follow each other. */
  private cacheObject({ offset }: Packed, object: GitObject): void {
    if (this.cache.has(offset)) return;
    this.cache.set(offset, object);
    this.cached += object.content.length;
    for (const [oldest, { content }] of this.cache) {
      if (this.cached <= MAX_CACHED_BYTES) break;
      this.cache.delete(oldest);
      this.cached -= content.length;
    }
  }

  private async placeAt(offset: number): Promise<Packed> {
    const bytes = await this.bytes(offset, Math.min(ENTRY_BYTES, this.end - offset));
    const next = { at: 0 };
    const byte = (): number => {
      const value = bytes[next.at++];
      if (value === undefined) throw corrupt();
      return value;
    };
    let current = byte();
    const kind = (current >>> 4) & 7;
    let size = current & 15;
    for (let factor = 16; current & 0x80; factor *= 128) {
      current = byte();
      size += (current & 0x7f) * factor;
    }
    if (kind === OFFSET_DELTA) {
      current = byte();
      let back = current & 0x7f;
      while (current & 0x80) {
        current = byte();
        back = (back + 1) * 128 + (current & 0x7f);
      }
      return { offset, size, base: offset - back, dataAt: offset + next.at };
    }
    if (kind === REFERENCE_DELTA) {
      const base = bytes.toString('hex', next.at, next.at + HASH_BYTES);
      return { offset, size, base, dataAt: offset + next.at + HASH_BYTES };
    }
    const type = TYPES[kind];
    if (!type) throw corrupt();
    return { offset, size, type, dataAt: offset + next.at };
  }

  /** Counts bytes before they are decompressed or built, and enforces the limits. A delta has no type of its own. */
  private countInflated(size: number, type?: GitType): void {
    const max = MAX_BYTES[type ?? 'blob'];
    if (size > max) {
      const title = type && type !== 'blob' ? type : 'file';
      throw new GitFault('access', `leads to a repository with a ${title} of more than ${max} bytes`);
    }
    this.work += type ? size : size * DELTA_COST;
    if (this.work > MAX_INFLATED_BYTES)
      throw new GitFault('access', `leads to a repository of more than ${MAX_INFLATED_BYTES} bytes unpacked`);
  }

  /**
   * Decompresses the content at an offset and returns its compressed size. Poorly compressed content may be as large as
   * uncompressed content.
   */
  private async inflated({ dataAt, size, type }: Packed): Promise<{ content: Buffer; packedBytes: number }> {
    this.countInflated(size, type);
    const max = Math.ceil(size * 1.001) + 1_024;
    const bytes = await this.bytes(dataAt, Math.min(max, this.end - dataAt));
    const { buffer: content, engine } = await decompress(bytes, size);
    if (content.length !== size) throw corrupt();
    return { content, packedBytes: engine.bytesWritten };
  }

  private async bytes(at: number, length: number): Promise<Buffer> {
    if (length <= 0) throw corrupt();
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, at);
    if (bytesRead !== length) throw corrupt();
    return bytes;
  }

  private async checkHash(path: string): Promise<void> {
    const hash = createHash('sha1');
    for await (const chunk of createReadStream(path, { end: this.end - 1 })) hash.update(chunk as Buffer);
    const said = await this.bytes(this.end, HASH_BYTES);
    if (!hash.digest().equals(said)) throw corrupt();
  }
}

/** Along with the result, Node returns an engine that contains the number of bytes consumed; its types omit that. */
function decompress(bytes: Buffer, size: number): Promise<{ buffer: Buffer; engine: Zlib }> {
  const options = { info: true, maxOutputLength: Math.max(size, 1) };
  return new Promise((resolve, reject) =>
    inflate(bytes, options, (error, result) => {
      if (error) reject(corrupt());
      else resolve(result as unknown as { buffer: Buffer; engine: Zlib });
    }),
  );
}

const corrupt = () => new GitFault('access', 'leads to a repository whose objects are damaged');
