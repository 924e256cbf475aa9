/** The part of the WebAssembly engine that is used here and that Node's types omit. */
interface Engine {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { env: object }) => { exports: Record<string, unknown> };
}
interface Memory {
  readonly buffer: ArrayBuffer;
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

const DEVICE_ID = '575ecf887ae143cd83dc4aa2';

/** A minimal device: it counts sent messages, and its clock advances with each tick. */
export class BenchHost {
  /** Number of messages that the module has sent. */
  sent = 0;
  private time = 1_700_000_000_000;
  private readonly exports: Record<string, (...args: (number | bigint)[]) => number>;
  private readonly memory: Memory;

  constructor(module: Uint8Array) {
    const zero = () => 0;
    const env = {
      eea_get_device_id: (at: number, _size: number, length: number) => {
        new Uint8Array(this.memory.buffer).set(new TextEncoder().encode(DEVICE_ID), at);
        new DataView(this.memory.buffer).setUint8(length, DEVICE_ID.length);
        return 0;
      },
      eea_get_time: (at: number) => {
        new DataView(this.memory.buffer).setBigUint64(at, BigInt(this.time), true);
        return 0;
      },
      eea_send_message: () => {
        this.sent += 1;
        return 0;
      },
      eea_set_message_buffers: zero,
      eea_sleep: zero,
      eea_storage_read: zero,
      eea_storage_save: zero,
      eea_trace: zero,
    };
    const { exports } = new Instance(new Module(module), { env });
    this.exports = exports as typeof this.exports;
    this.memory = exports.memory as Memory;
  }

  /** Memory size of the module. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  begin(): void {
    this.demand('eea_init', this.exports.eea_init!());
  }

  /** Advances the clock by this many milliseconds and runs everything that is due. */
  tick(ms: number): void {
    this.time += ms;
    this.demand('eea_loop', this.exports.eea_loop!(BigInt(this.time)));
  }

  private demand(name: string, code: number): void {
    if (code !== 0) throw new Error(`${name} answered ${code}`);
  }
}
