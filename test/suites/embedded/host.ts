export const DEVICE_ID = '0123456789abcdef01234567';

export interface SentMessage {
  topic: string;
  payload: string;
  qos: number;
}

export interface HostOptions {
  deviceId?: string;
  /** Registered functions by name, without `eea_fn_`; they access memory through the host. */
  functions?: Record<string, (host: Host, ...args: number[]) => number>;
  /** Memory that the module imports; if unset, the module must export its own. */
  memory?: WebAssembly.Memory;
  /** JSON that the host kept in storage. */
  stored?: string;
}

/** Exports of a module; `eea_loop` takes a 64-bit integer. */
type Exports = Record<string, (...args: (number | bigint)[]) => number>;

/** Functions of the interface, with the number of their arguments. */
const INTERFACE = {
  eea_get_device_id: 3,
  eea_get_time: 1,
  eea_send_message: 5,
  eea_set_message_buffers: 4,
  eea_sleep: 1,
  eea_storage_read: 3,
  eea_storage_save: 2,
  eea_trace: 3,
} as const;
type ImportName = keyof typeof INTERFACE;

/**
 * A device that runs a module. It enforces the interface strictly, records messages, traces and stored data, and its
 * clock stops between ticks. An invalid call of the module throws from the call that caused it.
 */
export class Host {
  readonly sent: SentMessage[] = [];
  readonly traced: { level: number; text: string }[] = [];
  readonly slept: number[] = [];
  /** Names of the functions that the module called, in order. */
  readonly called: ImportName[] = [];
  /** Return values of the host instead of 0. */
  readonly answers: Partial<Record<ImportName, number>> = {};
  /** Additional action whenever the module sends a message. */
  onSend: () => void = () => undefined;
  /** JSON that the module stored last. */
  stored: string | undefined;
  /** Milliseconds since 1970, returned by `eea_get_time` and used for ticks. */
  time = 1_700_000_000_000;
  readonly exports: Exports;
  readonly memory: WebAssembly.Memory;
  readonly #deviceId: string;
  #buffers = { topic: 0, topicSize: 0, payload: 0, payloadSize: 0 };

  constructor(
    module: Uint8Array,
    { deviceId = DEVICE_ID, functions = {}, memory, stored }: HostOptions = {},
  ) {
    this.#deviceId = deviceId;
    this.stored = stored;
    const compiled = new WebAssembly.Module(module);
    const env: Record<string, unknown> = { ...this.#interface(), ...(memory && { memory }) };
    for (const [name, call] of Object.entries(functions))
      env[`eea_fn_${name}`] = (...args: number[]) => call(this, ...args);
    for (const { module: from, name } of WebAssembly.Module.imports(compiled))
      if (from !== 'env' || !(name in env))
        throw new Error(`imports ${from}.${name}, which the host does not provide`);
    const { exports } = new WebAssembly.Instance(compiled, { env });
    this.exports = exports as Exports;
    this.memory = memory ?? (exports.memory as WebAssembly.Memory);
  }

  /** Returns an initialized device whose next tick is the first. */
  static started(module: Uint8Array, options?: HostOptions): Host {
    const host = new Host(module, options);
    const code = host.exports.eea_init!();
    if (code !== 0) throw new Error(`eea_init returned ${code}`);
    return host;
  }

  /** Calls the loop once, after the given number of milliseconds. */
  loop(milliseconds = 0): number {
    this.time += milliseconds;
    return this.exports.eea_loop!(BigInt(this.time));
  }

  /** Calls the loop until this tick has no more work; returns the code of the last call that did any. */
  settle(): number {
    for (let answer = 0; ;) {
      const before = this.called.length;
      const code = this.loop();
      if (this.called.length === before) return answer;
      answer = code;
    }
  }

  /** Receives a message from the broker: texts and bytes verbatim, other values as JSON. */
  receive(topic: string | Uint8Array, payload: unknown): number {
    return this.exports.eea_message_received!(
      this.#put(this.#buffers.topic, this.#buffers.topicSize, bytesOf(topic)),
      this.#put(this.#buffers.payload, this.#buffers.payloadSize, bytesOf(payload)),
    );
  }

  /** Receives a message on one of the device's own topics, such as `command`. */
  receiveOwn(name: string, payload: unknown): number {
    return this.receive(`fieldwright/${this.#deviceId}/${name}`, payload);
  }

  direct(id: string | Uint8Array, payload: unknown): number {
    return this.exports.eea_direct_trigger!(
      this.#put(this.#buffers.topic, this.#buffers.topicSize, bytesOf(id)),
      this.#put(this.#buffers.payload, this.#buffers.payloadSize, bytesOf(payload)),
    );
  }

  /** Debug messages in order. */
  get debugged(): any[] {
    return this.sent
      .filter(({ topic }) => topic === `fieldwright/${this.#deviceId}/fromAgent/debug`)
      .flatMap(({ payload }) => JSON.parse(payload));
  }

  /** Reports of the device's state. */
  get reported(): any[] {
    return this.sent
      .filter(({ topic }) => topic === `fieldwright/${this.#deviceId}/state`)
      .map(({ payload }) => JSON.parse(payload));
  }

  get buffers() {
    return this.#buffers;
  }

  /** Returns bytes of the module's memory; throws if they are out of bounds. */
  bytes(start: number, length: number): Buffer {
    const from = start >>> 0;
    if (length < 0 || from + length > this.memory.buffer.byteLength)
      throw new Error(`${length} bytes at ${from} are out of bounds`);
    return Buffer.from(this.memory.buffer, from, length);
  }

  text(start: number, length: number): string {
    return new TextDecoder('utf-8', { fatal: true }).decode(this.bytes(start, length));
  }

  #put(buffer: number, size: number, data: Uint8Array): number {
    if (data.length <= size) this.bytes(buffer, data.length).set(data);
    return data.length;
  }

  #interface(): Record<ImportName, (...args: number[]) => number> {
    const does: Record<ImportName, (...args: number[]) => void> = {
      eea_get_device_id: (buffer, size, length) => {
        const id = Buffer.from(this.#deviceId);
        if (size !== 24) throw new Error(`requests an ID of ${size} bytes`);
        this.bytes(buffer, size).set(id);
        this.bytes(length, 1).writeUInt8(id.length);
      },
      eea_get_time: (time) => this.bytes(time, 8).writeBigUInt64LE(BigInt(this.time)),
      eea_send_message: (topic, topicLength, payload, payloadLength, qos) => {
        if (qos !== 0 && qos !== 1) throw new Error(`sends with quality of service ${qos}`);
        this.sent.push({
          topic: this.text(topic, topicLength),
          payload: this.text(payload, payloadLength),
          qos,
        });
        this.onSend();
      },
      eea_set_message_buffers: (topic, topicSize, payload, payloadSize) => {
        this.bytes(topic, topicSize);
        this.bytes(payload, payloadSize);
        this.#buffers = {
          topic: topic,
          topicSize: topicSize,
          payload: payload,
          payloadSize: payloadSize,
        };
      },
      eea_sleep: (milliseconds) => {
        if (milliseconds < 0) throw new Error(`sleeps for ${milliseconds}`);
        this.slept.push(milliseconds);
        this.time += milliseconds;
      },
      eea_storage_read: (buffer, size, length) => {
        this.bytes(buffer, size);
        this.bytes(length, 4);
        if (this.stored === undefined) return;
        const text = Buffer.from(this.stored);
        if (text.length <= size) this.bytes(buffer, size).set(text);
        this.bytes(length, 4).writeUInt32LE(text.length);
      },
      eea_storage_save: (text, length) => {
        this.stored = this.text(text, length);
        JSON.parse(this.stored);
      },
      eea_trace: (text, length, level) => {
        if (level !== 1 && level !== 2) throw new Error(`traces at level ${level}`);
        this.traced.push({ level, text: this.text(text, length) });
      },
    };
    return Object.fromEntries(
      Object.entries(INTERFACE).map(([key, arity]) => {
        const name = key as ImportName;
        const call = (...args: number[]) => {
          if (args.length !== arity) throw new Error(`${name} was called with ${args.length} arguments`);
          this.called.push(name);
          const answer = this.answers[name] ?? 0;
          if (answer === 0) does[name](...args);
          return answer;
        };
        return [name, call];
      }),
    ) as Record<ImportName, (...args: number[]) => number>;
  }
}

function bytesOf(payload: unknown): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  return Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
}
