import { quickJsModule, withMaximumMemory } from './quickjs-module.js';

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Exports the first memory as `m`. */
const EXPORTS = [7, 5, 1, 1, 0x6d, 2, 0];

const growthOf = (module: Uint8Array, pages: number): number =>
  (
    new WebAssembly.Instance(new WebAssembly.Module(module), { env: {} }).exports.m as {
      grow: (pages: number) => number;
    }
  ).grow(pages);

describe('Modules with a maximum of memory', () => {
  it.each([
    ['without a maximum', [5, 3, 1, 0, 2]],
    ['with a larger maximum', [5, 5, 1, 1, 2, 0x80, 0x10]],
  ])('keep the minimum of a module %s and do not grow beyond the maximum', (_, memory) => {
    const module = Uint8Array.from([...HEADER, ...memory, ...EXPORTS]);
    expect(growthOf(module, 300)).toBe(2);
    const limited = withMaximumMemory(module, 300);
    expect(growthOf(limited, 298)).toBe(2);
    expect(() => growthOf(limited, 299)).toThrow(RangeError);
  });

  it('must have a memory of their own', () => {
    expect(() => withMaximumMemory(Uint8Array.from(HEADER), 1)).toThrow('no memory');
  });

  it('include the JavaScript engine', () => {
    expect(WebAssembly.Module.exports(quickJsModule() as WebAssembly.Module)).toContainEqual({
      name: 'memory',
      kind: 'memory',
    });
  });
});
