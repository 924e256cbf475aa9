import { EDGE_ERROR, edgeResult, failing } from '../../../../test/doubles/edge-result.js';
import type { EdgePort, ModbusSession } from '../../engine/edge-port.js';
import { RunFault } from '../../engine/run-error.js';
import { modbusReadNode } from '../modbus-read/index.js';
import { modbusWriteNode } from '../modbus-write/index.js';

describe('ModbusReadNode', () => {
  const bus = {
    connectionTypeTemplate: 'tcp',
    hostTemplate: '10.0.0.{{h}}',
    unitIdTemplate: '7',
    destinationPath: 'r',
  };
  const bytes = Buffer.from('00ff8001', 'hex');

  /** A bus whose device has the same registers everywhere. */
  function recorded(reads: unknown[]): EdgePort['modbus'] {
    return (target, use) => {
      reads.push(target);
      const session: Partial<ModbusSession> = {
        read: async (...of) => {
          reads.push(of);
          if (of[1] === 9) throw new RunFault('Bad', 'no');
          return of[0].endsWith('register') ? bytes : [true, false];
        },
        identify: async () => ({ VendorName: 'ACME' }),
      };
      return use(session as ModbusSession);
    };
  }

  it('reads registers, bits and the identification, and lists errors', async () => {
    const reads: unknown[] = [];
    const readInstructions = [
      { typeTemplate: 'holding-register', addressTemplate: '{{h}}', lengthTemplate: '2', key: 'h' },
      { typeTemplate: 'coil', addressTemplate: '3', lengthTemplate: 2, key: '' },
      { typeTemplate: 'input-register', addressTemplate: '9', key: 'bad' },
      { typeTemplate: 'read-device-identification', key: 'id' },
    ];
    const config = { ...bus, readInstructions };
    expect(await edgeResult(modbusReadNode, config, { modbus: recorded(reads) }, { h: 5 })).toEqual({
      h: [255, -32_767],
      'addr-3': [true, false],
      id: { VendorName: 'ACME' },
      errors: [{ key: 'bad', ...EDGE_ERROR }],
    });
    expect(reads).toEqual([
      { bus: { type: 'tcp', host: '10.0.0.5', port: 502 }, unitId: 7, timeoutMs: 5_000 },
      ['holding-register', 5, 2],
      ['coil', 3, 2],
      ['input-register', 9, 1],
    ]);
  });

  it.each<[object, number[]]>([
    [{ areUnsignedInts: true }, [255, 32_769]],
    [{ endiannessTemplate: 'little' }, [-256, 384]],
    [{ endiannessTemplate: 'little', areUnsignedInts: true }, [65_280, 384]],
  ])('reads numbers as %j', async (more, values) => {
    const config = { ...bus, readInstructions: [{ lengthTemplate: 2, key: 'k' }], ...more };
    expect((await edgeResult(modbusReadNode, config, { modbus: recorded([]) })).k).toEqual(values);
  });

  it('reads instructions of the payload, on a serial bus', async () => {
    const reads: unknown[] = [];
    const config = {
      ...bus,
      connectionTypeTemplate: 'asciiSerial',
      pathTemplate: '/dev/ttyUSB0',
      parityTemplate: 'even',
      startOfFrameCharTemplate: ':',
      readInstructionsType: 'payloadPath',
      readInstructions: 'list',
    };
    const list = [{ typeTemplate: 'discrete-input', addressTemplate: 1, lengthTemplate: 2, key: 'x' }];
    expect(await edgeResult(modbusReadNode, config, { modbus: recorded(reads) }, { list })).toEqual({
      x: [true, false],
      errors: [],
    });
    expect(reads[0]).toMatchObject({
      bus: { type: 'asciiSerial', path: '/dev/ttyUSB0', baudRate: 9_600, parity: 'even', startOfFrame: ':' },
    });
  });

  it('lists that the bus is unreachable, and fails for invalid settings', async () => {
    const modbus: EdgePort['modbus'] = failing('Bad');
    const config = { ...bus, readInstructions: [{ key: 'k' }] };
    expect(await edgeResult(modbusReadNode, config, { modbus })).toEqual({
      errors: [{ key: '', ...EDGE_ERROR }],
    });
    for (const wrong of [
      { connectionTypeTemplate: 'usb' },
      { hostTemplate: '' },
      { portTemplate: 0 },
      { unitIdTemplate: 256 },
      { readInstructions: [{ lengthTemplate: 126 }] },
      { readInstructions: [{ addressTemplate: 65_536 }] },
      { readInstructions: [{ key: 'errors' }] },
    ])
      await expect(edgeResult(modbusReadNode, { ...config, ...wrong }, { modbus })).rejects.toMatchObject({
        name: 'ValidationError',
      });
  });
});

describe('ModbusWriteNode', () => {
  it('writes registers and coils', async () => {
    const writes: unknown[] = [];
    const modbus: EdgePort['modbus'] = (_target, use) =>
      use({
        writeRegisters: async (...of) => void writes.push(of),
        writeCoil: async (...of) => {
          writes.push(of);
          if (of[0] === 9) throw new RunFault('Bad', 'no');
        },
      } as Partial<ModbusSession> as ModbusSession);
    const writeInstructions = [
      { typeTemplate: 'holding-register', addressTemplate: 1, valueTemplate: '{{n}}', key: 'one' },
      { typeTemplate: 'holding-registers', addressTemplate: 2, valueTemplate: 'list' },
      { typeTemplate: 'coil', addressTemplate: 3, valueTemplate: 'false' },
      { typeTemplate: 'coil', addressTemplate: 9, valueTemplate: '1', key: 'bad' },
    ];
    const config = { hostTemplate: 'h', destinationPath: 'r', writeInstructions };
    expect(await edgeResult(modbusWriteNode, config, { modbus }, { n: -1, list: [1, 2] })).toEqual({
      one: true,
      'addr-2': true,
      'addr-3': true,
      errors: [{ key: 'bad', ...EDGE_ERROR }],
    });
    expect(writes).toEqual([
      [1, [65_535]],
      [2, [1, 2]],
      [3, false],
      [9, true],
    ]);
    for (const valueTemplate of ['', 'x', '1.5', '65536'])
      await expect(
        edgeResult(modbusWriteNode, { ...config, writeInstructions: [{ valueTemplate }] }, { modbus }),
      ).rejects.toMatchObject({ name: 'ValidationError' });
  });
});
