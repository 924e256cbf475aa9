import { type Chain, bundleOf, ChainHost, compileChains } from '../../../../test/suites/embedded/chains.js';
import type { Host } from '../../../../test/suites/embedded/host.js';
import { sourceOf } from '../../embedded/source.js';

const call = (functionName: string, inputs: object[] = [], outputs: object[] = []): Chain => [
  ['RegisteredFunctionNode', { functionName, inputs, outputs, resultPath: 'working.code' }],
];
const NUMBERS = ['bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f32', 'f64'] as const;
/** Types that fit in one call. */
const INPUTS = NUMBERS.filter((type) => type !== 'bool');

const CHAINS = {
  plain: call('plain'),
  flag: call('flag', [{ type: 'bool', valueTemplate: '{{data.flag}}' }]),
  numbers: call(
    'numbers',
    INPUTS.map((type) => ({ type, valueTemplate: `{{data.${type}}}` })),
  ),
  constants: call('constants', [
    { type: 'i32', valueTemplate: '18' },
    { type: 'bool', valueTemplate: 'true' },
    { type: 'f64', valueTemplate: '{{data.half}}.25' },
  ]),
  texts: call('texts', [
    { type: 'string', valueTemplate: '{{data.text}}!' },
    { type: 'json', valueTemplate: '{"a":"{{data.text}}"}' },
  ]),
  ...Object.fromEntries(
    NUMBERS.map((type) => [
      `list_${type}`,
      call(
        `list_${type}`,
        [{ type: `${type}[]`, valueTemplate: '{{data.list}}' }],
        [{ type: `${type}[]`, destinationPath: 'working.out', maxLength: '4' }],
      ),
    ]),
  ),
  ...Object.fromEntries(
    NUMBERS.map((type) => [
      `out_${type}`,
      call(`out_${type}`, [], [{ type, destinationPath: 'working.out' }]),
    ]),
  ),
  base64: call(
    'base64',
    [{ type: 'string', valueTemplate: '{{data.text}}' }],
    [{ type: 'string', destinationPath: 'working.out', maxLength: 16 }],
  ),
  readings: call('readings', [], [{ type: 'json', destinationPath: 'working.out', maxLength: '32' }]),
  mixed: call(
    'mixed',
    [],
    [
      { type: 'f32[]', destinationPath: 'working.list', maxLength: 3 },
      { type: 'u16', destinationPath: '' },
      { type: 'f32', destinationPath: 'working.rate' },
    ],
  ),
} satisfies Record<string, Chain>;

/** Arguments that the host functions received; texts and lists are read by pointer and length. */
let given: unknown[] = [];
/** Return value of the host functions. */
let answer = 0;
/** Text that `readings` writes, and the length that it reports. */
let reading = '[0, 0.5, 1.5]';
let readingLength: number | undefined;

const WIDTHS: Record<string, number> = {
  bool: 1,
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  i64: 8,
  u64: 8,
  f32: 4,
  f64: 8,
};

function writeText(host: Host, text: string, at: number, room: number, written: number): void {
  const bytes = Buffer.from(text);
  if (bytes.length <= room) host.bytes(at, room).set(bytes);
  host.bytes(written, 4).writeUInt32LE(bytes.length);
}

const FUNCTIONS: Record<string, (host: Host, ...args: number[]) => number> = {
  plain: () => answer,
  ...Object.fromEntries(
    ['flag', 'numbers', 'constants'].map((name) => [
      name,
      (_host: Host, ...args: number[]) => {
        given = args;
        return answer;
      },
    ]),
  ),
  texts: (host, ...[text, length, json, jsonLength]) => {
    given = [host.text(text!, length!), host.text(json!, jsonLength!)];
    return answer;
  },
  base64: (host, ...[text, length, at, room, written]) => {
    writeText(host, Buffer.from(host.text(text!, length!)).toString('base64'), at!, room!, written!);
    return answer;
  },
  readings: (host, ...[at, room, written]) => {
    writeText(host, reading, at!, room!, written!);
    if (readingLength !== undefined) host.bytes(written!, 4).writeUInt32LE(readingLength);
    return answer;
  },
  mixed: (host, ...[list, room, written, word, rate]) => {
    for (let i = 0; i < room!; i++) host.bytes(list! + i * 4, 4).writeFloatLE(i / 2);
    host.bytes(written!, 4).writeUInt32LE(2);
    host.bytes(word!, 2).writeUInt16LE(65_535);
    host.bytes(rate!, 4).writeFloatLE(0.25);
    return answer;
  },
  // Returns its input reversed.
  ...Object.fromEntries(
    NUMBERS.map((type) => [
      `list_${type}`,
      (host: Host, from: number, count: number, to: number, room: number, written: number) => {
        const width = WIDTHS[type]!;
        given = [count, room];
        for (let i = 0; i < Math.min(count, room); i++)
          host.bytes(to + i * width, width).set(host.bytes(from + (count - 1 - i) * width, width));
        host.bytes(written, 4).writeUInt32LE(count);
        return answer;
      },
    ]),
  ),
  // Sets all bits of the number.
  ...Object.fromEntries(
    NUMBERS.map((type) => [
      `out_${type}`,
      (host: Host, at: number) => {
        if (type === 'f32') host.bytes(at, 4).writeFloatLE(-0.5);
        else if (type === 'f64') host.bytes(at, 8).writeDoubleLE(1e300);
        else host.bytes(at, WIDTHS[type] ?? 1).fill(0xff);
        return answer;
      },
    ]),
  ),
};

let module: Uint8Array;
let device: ChainHost;

beforeAll(async () => {
  module = await compileChains(CHAINS);
}, 120_000);

beforeEach(() => {
  device = new ChainHost(module, { functions: FUNCTIONS });
  given = [];
  answer = 0;
  reading = '[0, 0.5, 1.5]';
  readingLength = undefined;
});

const run = (name: string, data?: object) => device.run(name, data);

describe('RegisteredFunctionNode', () => {
  it('writes the return code of the function to the payload', () => {
    expect(run('plain').payload.working).toEqual({ code: 0 });
    answer = -3;
    expect(run('plain')).toMatchObject({ payload: { working: { code: -3 } }, code: 0 });
  });

  it('passes numbers of each type', () => {
    const least = {
      i8: -128,
      u8: 0,
      i16: -32_768,
      u16: 0,
      i32: -(2 ** 31),
      u32: 0,
      i64: -(2 ** 63),
      u64: 0,
      f32: -0.5,
      f64: -1e300,
    };
    run('numbers', least);
    expect(given).toEqual([-128, 0, -32_768, 0, -(2 ** 31), 0, -(2n ** 63n), 0n, -0.5, -1e300]);
    const most = {
      i8: 127,
      u8: 255,
      i16: '32767',
      u16: 65_535,
      i32: 2 ** 31 - 1,
      u32: 2 ** 32 - 1,
      i64: 2 ** 62,
      u64: 2 ** 63,
      f32: 0.5,
      f64: 0.1,
    };
    run('numbers', most);
    // WebAssembly integers have no sign: hosts choose how to interpret them.
    expect(given).toEqual([127, 255, 32_767, 65_535, 2 ** 31 - 1, -1, 2n ** 62n, -(2n ** 63n), 0.5, 0.1]);
  });

  it.each([
    ['i8', 128],
    ['i8', -129],
    ['u8', 256],
    ['u8', -1],
    ['i16', 32_768],
    ['u16', 65_536],
    ['i32', 2 ** 31],
    ['i32', 1.5],
    ['i32', 'one'],
    ['i32', ''],
    ['i32', null],
    ['i32', [1]],
    ['u32', 2 ** 32],
    ['u32', -1],
    ['i64', 2 ** 63],
    ['u64', 2 ** 64],
    ['u64', -1],
    ['f32', 'much'],
    ['f64', undefined],
  ])('does not call the function if %s is %j', (type, value) => {
    const data = Object.fromEntries(INPUTS.map((number) => [number, number === type ? value : 1]));
    const { payload, error } = run('numbers', data);
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: `input ${INPUTS.indexOf(type as 'i8')} of the function must be a number of its type`,
    });
    expect([given, payload.working]).toEqual([[], {}]);
  });

  it('passes booleans as 1 and 0', () => {
    const passed = [true, 'false', 1, '0', 'true', false].flatMap((flag) => (run('flag', { flag }), given));
    expect(passed).toEqual([1, 0, 1, 0, 1, 0]);
    for (const flag of [2, 'yes', -1, 0.5, {}])
      expect(run('flag', { flag }).error?.name).toBe('ValidationError');
  });

  it('passes constants and rendered templates', () => {
    run('constants', { half: '-1' });
    expect(given).toEqual([18, 1, -1.25]);
  });

  it('passes texts and JSON as pointer and length in bytes', () => {
    run('texts', { text: 'aü€😀' });
    expect(given).toEqual(['aü€😀!', '{"a":"aü€😀"}']);
    run('texts', { text: '' });
    expect(given).toEqual(['!', '{"a":""}']);
  });

  it.each(INPUTS)('passes and returns lists of %s', (type) => {
    const list = type.startsWith('f') ? [0.5, -2, 3] : type.startsWith('u') ? [0, 1, 200] : [-128, 0, 127];
    expect(run(`list_${type}`, { list }).payload.working).toEqual({ code: 0, out: list.toReversed() });
    expect(given).toEqual([3, 4]);
    expect(run(`list_${type}`, { list: [] }).payload.working.out).toEqual([]);
    expect(run(`list_${type}`, { list: '[1,2]' }).payload.working.out).toEqual([2, 1]);
  });

  it('passes and returns lists of booleans', () => {
    const list = [true, 'false', 1, '0'];
    expect(run('list_bool', { list }).payload.working).toEqual({ code: 0, out: [false, true, false, true] });
    expect(given).toEqual([4, 4]);
    expect(run('list_bool', { list: '[true,false]' }).payload.working.out).toEqual([false, true]);
    given = [];
    for (const wrong of [2, 'yes', null])
      expect(run('list_bool', { list: [wrong] }).error?.name).toBe('ValidationError');
    expect(given).toEqual([]);
  });

  it.each([[[1, 'a']], [[1e300]], ['1'], ['['], [{}], [undefined], [[null]]])(
    'rejects %j as a list of i16',
    (list) => {
      expect(run('list_i16', { list }).error?.name).toBe('ValidationError');
      expect(given).toEqual([]);
    },
  );

  it('fails if the function writes beyond the buffer', () => {
    expect(run('list_i32', { list: [1, 2, 3, 4, 5] }).error?.name).toBe('RangeError');
    readingLength = 2 ** 32 - 1;
    expect(run('readings').error?.name).toBe('RangeError');
  });

  it.each([
    ['bool', true],
    ['i8', -1],
    ['u8', 255],
    ['i16', -1],
    ['u16', 65_535],
    ['i32', -1],
    ['u32', 2 ** 32 - 1],
    ['i64', -1],
    ['u64', 2 ** 64],
    ['f32', -0.5],
    ['f64', 1e300],
  ])('returns a number of the type %s', (type, expected) => {
    expect(run(`out_${type}`).payload.working).toEqual({ code: 0, out: expected });
  });

  it('returns text, and decoded JSON', () => {
    expect(run('base64', { text: 'hello' }).payload.working).toEqual({ code: 0, out: 'aGVsbG8=' });
    expect(run('readings').payload.working).toEqual({ code: 0, out: [0, 0.5, 1.5] });
  });

  it.each(['[0, 0.5', '', 'é'])('fails if the function returns %j as JSON', (text) => {
    reading = text;
    expect(run('readings').error).toEqual({ name: 'InvalidJsonError', message: expect.any(String) });
  });

  it('ignores the outputs of a function that failed', () => {
    answer = 4;
    reading = 'no JSON';
    expect(run('readings')).toMatchObject({ payload: { working: { code: 4 } }, code: 0 });
    expect(run('readings').payload.working).toEqual({ code: 4 });
  });

  it('returns several outputs and drops those without a path', () => {
    expect(run('mixed').payload.working).toEqual({ code: 0, list: [0, 0.5], rate: 0.25 });
  });

  it('imports functions under their names, with WebAssembly types', () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
    expect(imports.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['eea_fn_plain', 'eea_fn_list_f64']),
    );
    const options = {
      traceLevel: 0,
      disableDebugMessage: true,
      debugSymbols: false,
      exportMemory: true,
    } as const;
    expect(sourceOf(bundleOf({ texts: CHAINS.texts, numbers: CHAINS.numbers }), options).imports).toEqual([
      {
        name: 'eea_fn_numbers',
        params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i64', 'i64', 'f32', 'f64'],
      },
      { name: 'eea_fn_texts', params: ['i32', 'i32', 'i32', 'i32'] },
    ]);
  });

  it('rejects a bundle that uses a function with two signatures, and names both nodes', () => {
    const options = {
      traceLevel: 0,
      disableDebugMessage: true,
      debugSymbols: false,
      exportMemory: true,
    } as const;
    const bundle = bundleOf({
      first: call('same'),
      second: call('same', [{ type: 'i32', valueTemplate: '1' }]),
    });
    expect(() => sourceOf(bundle, options)).toThrow(
      /workflow "second", node node0.*same.*node0 of workflow "first"/,
    );
  });
});
