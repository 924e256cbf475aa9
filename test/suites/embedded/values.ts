import { assemble } from '../../../src/workflows/embedded/assemble.js';
import { code } from '../../../src/workflows/embedded/code.js';
import { Constants } from '../../../src/workflows/embedded/constants.js';
import { expressionEmitter, EXPRESSIONS_RUNTIME } from '../../../src/workflows/embedded/expressions.js';

/** Types of values in the order of their numbers in the runtime. */
export const KINDS = ['undefined', 'null', 'boolean', 'number', 'text', 'list', 'object'] as const;

type Functions = Record<string, (...args: number[]) => number>;

/** The value functions of the runtime, compiled with some expressions and callable from tests. */
export class Values {
  readonly #functions: Functions;
  readonly #memory: WebAssembly.Memory;

  private constructor(module: Uint8Array) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: {} });
    this.#functions = exports as Functions;
    this.#memory = exports.memory as WebAssembly.Memory;
  }

  static async compiled(expressions: readonly string[]): Promise<Values> {
    const constants = new Constants();
    const to = expressionEmitter(constants);
    const cases = expressions.map((text, i) => code`case ${i}: return ${to.expression(text)};`);
    const evaluate = code`
      ${EXPRESSIONS_RUNTIME}
      import { constant, text } from './constants';
      import { Payload } from './testing/payload';
      export function evaluate(index: i32, run: Payload): expressions.Value {
        switch (index) {
          ${cases}
        }
        return expressions.UNDEFINED;
      }`;
    const index = code`
      import './abort';
      export * from './testing/values';`;
    const { module } = await assemble(
      { 'index.ts': index.source, 'bundle.ts': constants.source.source, 'evaluate.ts': evaluate.source },
      { traceLevel: 0, disableDebugMessage: true, debugSymbols: false, exportMemory: true },
    );
    return new Values(module);
  }

  /** Calls an exported function with bytes, or with a text as UTF-16. */
  call(name: string, input: Uint8Array | string, ...args: number[]): number {
    const bytes = typeof input === 'string' ? Buffer.from(input, 'utf16le') : input;
    const start = this.#functions.take!(bytes.length);
    new Uint8Array(this.#memory.buffer, start, bytes.length).set(bytes);
    return this.#functions[name]!(...args);
  }

  /** The same with JSON. */
  callJson(name: string, json: unknown, ...args: number[]): number {
    return this.call(name, Buffer.from(JSON.stringify(json)), ...args);
  }

  /** Text result of the last call. */
  get text(): string {
    const start = this.#functions.textAt!();
    return Buffer.from(this.#memory.buffer, start, this.#functions.textLength!() * 2).toString('utf16le');
  }

  /** Byte result of the last call. */
  get bytes(): Buffer {
    return Buffer.from(this.#memory.buffer, this.#functions.bytesAt!(), this.#functions.bytesLength!());
  }

  get pages(): number {
    return this.#memory.buffer.byteLength / 65_536;
  }
}
