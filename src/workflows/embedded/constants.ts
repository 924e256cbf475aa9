import { Code, code } from './code.js';

/** Constants of a bundle: distinct JSON texts, numbered from 0 in insertion order. */
export class Constants {
  readonly #numbers = new Map<string, number>();

  /** Adds a constant if it is new. Returns its number. */
  add(value: unknown): number {
    const json = JSON.stringify(value);
    const known = this.#numbers.get(json);
    if (known !== undefined) return known;
    this.#numbers.set(json, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** Declarations of the constants as bytes. */
  get source(): Code {
    const texts = [...this.#numbers.keys()].map((json) => Buffer.from(json));
    let end = 0;
    const starts = [0, ...texts.map(({ length }) => (end += length))];
    return code`
      export const CONSTANTS: i32 = ${texts.length};
      export const CONSTANT_BYTES: usize = ${bytes(Buffer.concat(texts))};
      export const CONSTANT_STARTS: usize = ${table(starts)};`;
  }
}

/** Returns a data segment with bytes. */
export function bytes(data: Uint8Array): Code {
  return code`memory.data<u8>([${Code.list([...data])}])`;
}

/** Returns a data segment with 32-bit integers, at least one. */
export function table(numbers: readonly number[]): Code {
  return code`memory.data<i32>([${Code.list(numbers.length > 0 ? numbers : [0])}])`;
}
