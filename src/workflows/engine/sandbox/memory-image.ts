/** Memory of a machine. Its buffer is another one after it has grown. */
export interface InstanceMemory {
  readonly buffer: ArrayBuffer;
}

/** Part of a memory, by its address. */
interface Part {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * Memory of a virtual machine between two calls. All of its state is in this memory, so writing it back undoes whatever
 * a script did: to globals, to built-in objects, and to the heap after an interruption.
 *
 * Two parts are left out: the stack, which is below the stack pointer and empty between calls, and the longest run of
 * zeros, which must be free memory of the allocator. A few hundred kilobytes of several megabytes remain.
 */
export class MemoryImage {
  private readonly parts: readonly Part[];

  /** Takes the image of a machine that is not running. Its stack ends at the address `stackPointer`. */
  constructor({ buffer }: InstanceMemory, stackPointer: number) {
    const memory = new Uint8Array(buffer);
    const free = longestZeros(memory, stackPointer);
    const part = (at: number, end: number): Part => ({ at, bytes: memory.slice(at, end) });
    this.parts = [part(stackPointer, free.start), part(free.end, memory.length)];
  }

  /** Number of bytes that a restoration writes. */
  get size(): number {
    return this.parts.reduce((size, { bytes }) => size + bytes.length, 0);
  }

  /** Writes the image back. Values of the machine that were created since are invalid and must not be freed. */
  restore(memory: InstanceMemory): void {
    const bytes = new Uint8Array(memory.buffer);
    for (const part of this.parts) bytes.set(part.bytes, part.at);
  }
}

/** Returns the longest run of words that are zero, as addresses. */
function longestZeros(memory: Uint8Array, from: number): { start: number; end: number } {
  const words = new Uint32Array(memory.buffer, memory.byteOffset, memory.length >> 2);
  let longest = { start: words.length, end: words.length };
  for (let start = from >> 2, at = start; at <= words.length; at++) {
    if (words[at] === 0) continue;
    if (at - start > longest.end - longest.start) longest = { start, end: at };
    start = at + 1;
  }
  return { start: longest.start * 4, end: longest.end * 4 };
}
