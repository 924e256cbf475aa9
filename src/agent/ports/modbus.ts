import type { ModbusRTU } from 'modbus-serial/ModbusRTU.js';
import type { EdgePort, ModbusBus, ModbusSession, ModbusTable } from '../../workflows/engine/edge-port.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import { optionalPackage } from './optional-package.js';

/** Time in milliseconds that an idle connection is kept. */
const IDLE_MS = 10_000;
/** Runs that wait for one bus. */
const MAX_WAITING = 100;

interface Bus {
  client?: ModbusRTU;
  /** The last session, which the next one waits for. */
  last: Promise<unknown>;
  waiting: number;
  idle?: NodeJS.Timeout;
}

/** Connections to Modbus devices. Sessions on a bus run one after another, because its devices share the line. */
export class ModbusBuses {
  private readonly buses = new Map<string, Bus>();

  readonly use: EdgePort['modbus'] = async ({ bus: wanted, unitId, timeoutMs }, use) => {
    const key = JSON.stringify(wanted);
    const bus = this.buses.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (bus.waiting >= MAX_WAITING)
      throw new RunFault('TooManyRequests', 'Too many runs wait for the Modbus bus');
    this.buses.set(key, bus);
    clearTimeout(bus.idle);
    bus.waiting++;
    const session = bus.last.then(async () => {
      const client = await this.connected(bus, wanted, timeoutMs);
      client.setID(unitId);
      client.setTimeout(timeoutMs);
      return use(sessionOf(client, (error) => this.failed(bus, error)));
    });
    bus.last = session.catch(() => undefined);
    try {
      return await session;
    } finally {
      if (--bus.waiting === 0) bus.idle = setTimeout(() => this.forget(key, bus), IDLE_MS).unref();
    }
  };

  /** Closes all connections. */
  stop(): void {
    for (const [key, bus] of this.buses) this.forget(key, bus);
  }

  private async connected(bus: Bus, wanted: ModbusBus, timeoutMs: number): Promise<ModbusRTU> {
    if (bus.client?.isOpen) return bus.client;
    const { default: modbus } = await optionalPackage('modbus-serial', () => import('modbus-serial'));
    const client = new modbus.default();
    // Errors are reported to the call that they concern, too.
    client.on('error', () => undefined);
    client.setTimeout(timeoutMs);
    bus.client = client;
    try {
      await connect(client, wanted, timeoutMs);
    } catch (error) {
      this.failed(bus, error);
    }
    return client;
  }

  /** Closes a connection after an error, after which late responses could be mistaken for those of the next request. */
  private failed(bus: Bus, error: unknown): never {
    const { client } = bus;
    const { name, message, modbusCode } = error as Error & { modbusCode?: number };
    // The device has responded with an exception.
    if (modbusCode === undefined) {
      bus.client = undefined;
      client?.destroy(() => undefined);
    }
    throw new RunFault(
      name === 'Error' || name === '' ? 'ModbusError' : name,
      message || 'The device did not respond',
    );
  }

  private forget(key: string, bus: Bus): void {
    clearTimeout(bus.idle);
    bus.client?.close(() => undefined);
    this.buses.delete(key);
  }
}

async function connect(client: ModbusRTU, bus: ModbusBus, timeoutMs: number): Promise<void> {
  if (bus.type === 'tcp') {
    const { host, port } = bus;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No connection to ${host}:${port} in time`)), timeoutMs);
    });
    try {
      await Promise.race([client.connectTCP(host, { port }), late]);
    } finally {
      clearTimeout(timer);
    }
    return;
  }
  await optionalPackage('serialport', () => import('serialport'));
  const { type, path, startOfFrame, ...line } = bus;
  if (type === 'serial') await client.connectRTUBuffered(path, line);
  else {
    const options =
      startOfFrame === undefined ? line : { ...line, startOfSlaveFrameChar: startOfFrame.charCodeAt(0) };
    await client.connectAsciiSerial(path, options);
  }
}

function sessionOf(client: ModbusRTU, failed: (error: unknown) => never): ModbusSession {
  const attempt = async <T>(work: Promise<T>): Promise<T> => work.catch(failed);
  const readers: Readonly<
    Record<ModbusTable, (address: number, length: number) => Promise<Buffer | boolean[]>>
  > = {
    coil: async (...of) => (await client.readCoils(...of)).data,
    'discrete-input': async (...of) => (await client.readDiscreteInputs(...of)).data,
    'holding-register': async (...of) => (await client.readHoldingRegisters(...of)).buffer,
    'input-register': async (...of) => (await client.readInputRegisters(...of)).buffer,
  };
  return {
    async read(table, address, length) {
      const found = await attempt(readers[table](address, length));
      // Bits come in whole bytes.
      return Buffer.isBuffer(found) ? found : found.slice(0, length);
    },
    async identify() {
      const { data } = await attempt(client.readDeviceIdentification(1, 0));
      return Object.fromEntries(Object.entries(data));
    },
    async writeRegisters(address, values) {
      const [first] = values;
      if (values.length === 1) await attempt(client.writeRegister(address, first!));
      else await attempt(client.writeRegisters(address, [...values]));
    },
    async writeCoil(address, value) {
      await attempt(client.writeCoil(address, value));
    },
  };
}
