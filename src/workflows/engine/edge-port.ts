/** Device of the application, as the platform has synced it to a gateway. */
export interface EdgeDevice {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly attributes: readonly { readonly name: string; readonly [member: string]: unknown }[];
  readonly [member: string]: unknown;
}

/** Part of a file. A negative start counts from its end. */
export interface FileRange {
  readonly start: number;
  /** Bytes; `undefined` for the rest of the file. */
  readonly length: number | undefined;
}

/** How to write a file. */
export interface FileWriteMode {
  readonly appends: boolean;
  /** Whether an existing file is an error. */
  readonly isNew: boolean;
}

/** Command for the shell of the gateway. */
export interface EdgeCommand {
  readonly command: string;
  /** Working directory; `undefined` for that of the agent. */
  readonly directory: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly encoding: BufferEncoding;
  /** Whether the command goes on after the run. */
  readonly isDetached: boolean;
}

/** Result of a command. A detached one has no output, and neither code nor signal while it runs. */
export interface EdgeCommandResult {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** Why the command could not be executed, or was ended. */
  readonly error?: string;
}

/** Connection to Modbus devices. */
export type ModbusBus =
  | { readonly type: 'tcp'; readonly host: string; readonly port: number }
  | {
      readonly type: 'serial' | 'asciiSerial';
      readonly path: string;
      readonly baudRate: number;
      readonly parity: 'none' | 'even' | 'odd';
      readonly dataBits: number;
      readonly stopBits: number;
      /** First character of a frame, for `asciiSerial`. */
      readonly startOfFrame?: string;
    };

/** Registers and bits of Modbus devices. */
export type ModbusTable = 'coil' | 'discrete-input' | 'holding-register' | 'input-register';

/** Session with one Modbus device. Other sessions on the bus wait. All methods throw a `RunFault`. */
export interface ModbusSession {
  /** Returns the bytes of registers, two for each, or one value for each bit. */
  read(table: ModbusTable, address: number, length: number): Promise<Buffer | readonly boolean[]>;
  /** Returns the texts of the identification by their number. */
  identify(): Promise<Readonly<Record<string, string>>>;
  writeRegisters(address: number, values: readonly number[]): Promise<void>;
  writeCoil(address: number, value: boolean): Promise<void>;
}

/** Datagram to send. */
export interface UdpMessage {
  readonly host: string;
  readonly port: number;
  readonly message: Buffer;
  readonly isBroadcast: boolean;
}

/** Broker other than that of the platform: the own one of the agent, or one of its configuration. */
export type EdgeBroker = { readonly type: 'local' } | { readonly type: 'external'; readonly name: string };

/** What only nodes on edge devices may do: files, processes, hardware and the network of the gateway. */
export interface EdgePort {
  /** ID of the gateway; `undefined` until the agent knows it. */
  readonly deviceId: string | undefined;
  /** Peripherals of the gateway, and floating devices. */
  readonly peripherals: readonly EdgeDevice[];
  /** Returns at most 5 MiB. Throws a `RunFault`. */
  readFile(path: string, range: FileRange): Promise<Buffer>;
  /** Throws a `RunFault`. */
  writeFile(path: string, content: Buffer, mode: FileWriteMode): Promise<void>;
  execute(command: EdgeCommand, signal: AbortSignal): Promise<EdgeCommandResult>;
  /** Connects to a Modbus device for the duration of `use`. Throws a `RunFault`. */
  modbus<T>(
    target: { readonly bus: ModbusBus; readonly unitId: number; readonly timeoutMs: number },
    use: (session: ModbusSession) => Promise<T>,
  ): Promise<T>;
  /** Throws a `RunFault`. */
  sendUdp(message: UdpMessage): Promise<void>;
  /** Publishes a message. Throws a `RunFault`. */
  publish(broker: EdgeBroker, topic: string, message: string): Promise<void>;
  /** Returns the value of a setting of the agent, or all settings for `.`. */
  setting(key: string): unknown;
  /** Changes settings of the agent, all or none, when the runs that have begun have ended. Throws a `RunFault`. */
  changeSettings(values: Readonly<Record<string, unknown>>): void;
}
