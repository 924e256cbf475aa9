import { withLoopChecks } from './loop-checks.js';

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Types `() => i32` and `i32 => i32`. */
const TYPES = [1, 10, 2, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f];
/** Imports a function that is not called, and `stop` of the first type. */
const IMPORTS = [
  2, 20, 2, 3, 0x65, 0x6e, 0x76, 1, 0x78, 0, 0, 3, 0x65, 0x6e, 0x76, 4, 0x73, 0x74, 0x6f, 0x70, 0, 0,
];
const FUNCTIONS = [3, 2, 1, 1];
const GLOBALS = [6, 6, 1, 0x7f, 0, 0x41, 7, 0x0b];
/** Exports the only function of the module as `f`. */
const EXPORTS = [7, 5, 1, 1, 0x66, 0, 2];

/** Returns a module with a function of a parameter, a local variable, and these instructions. */
const moduleOf = (
  instructions: number[],
  before = [...TYPES, ...IMPORTS, ...FUNCTIONS, ...GLOBALS, ...EXPORTS],
) => {
  const body = [1, 1, 0x7f, ...instructions, 0x0b];
  return Uint8Array.from([...HEADER, ...before, 10, body.length + 2, 1, body.length, ...body]);
};

/** Counts down from the parameter: `do { local += 3 } while (--parameter)`, with instructions of all lengths around it. */
const COUNTS = [
  ...[0x43, 0, 0, 0x80, 0x3f, 0x1a], // f32.const, drop
  ...[0x44, 3, 3, 3, 3, 3, 3, 3, 3, 0x1a], // f64.const, whose bytes look like loops
  ...[0x43, 0, 0, 0, 0, 0xfc, 0, 0x1a], // a saturating truncation
  ...[0x03, 0x40], // loop
  ...[0x20, 1, 0x41, 3, 0x6a, 0x21, 1],
  ...[0x02, 0x40, 0x41, 0, 0x0e, 1, 0, 0, 0x0b], // a block with br_table
  ...[0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0], // br_if
  0x0b,
  ...[0x20, 1],
];
/** `for (;;) for (;;);` */
const ENDLESS = [0x03, 0x40, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b, 0x41, 0];

/** Instantiates a module and returns its function and how often it called `stop`, which throws at the count of `limit`. */
function start(module: Uint8Array, limit = Infinity) {
  const calls = { count: 0 };
  const stop = () => {
    if (++calls.count === limit) throw new Error('stopped');
    return 0;
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(module)), {
    env: { x: () => 0, stop },
  });
  return { run: exports.f as (count: number) => number, calls };
}

describe('Checks in the loops of WebAssembly', () => {
  it('are called for each 4,096 loops, and the code does what it did', () => {
    expect(start(moduleOf(COUNTS)).run(10)).toBe(30);
    const { run, calls } = start(withLoopChecks(moduleOf(COUNTS), 'stop'));
    expect(run(4_096)).toBe(3 * 4_096);
    expect(calls.count).toBe(0);
    expect(run(1)).toBe(3);
    expect(calls.count).toBe(1);
    expect(run(40_960)).toBe(3 * 40_960);
    expect(calls.count).toBe(11);
  });

  it('end code that would go on for ever', () => {
    const { run, calls } = start(withLoopChecks(moduleOf(ENDLESS), 'stop'), 5);
    expect(() => run(0)).toThrow('stopped');
    expect(calls.count).toBe(5);
  });

  it.each([
    ['does not import the function', moduleOf(COUNTS), 'other', 'does not import other'],
    ['has an unknown instruction', moduleOf([0xfd, 0x0c]), 'stop', 'Unknown instruction fd'],
    ['has an unknown instruction of two bytes', moduleOf([0xfc, 0x20]), 'stop', 'Unknown instruction fc'],
    [
      'has no global variable',
      moduleOf(COUNTS, [...TYPES, ...IMPORTS, ...FUNCTIONS, ...EXPORTS]),
      'stop',
      'has no global variable',
    ],
  ])('are refused for a module that %s', (_, module, importName, message) => {
    expect(() => withLoopChecks(module, importName)).toThrow(message);
  });
});
