import fc from 'fast-check';
import { JsonWriter } from './json-writer.js';

describe('A JSON writer', () => {
  it('writes any text as a string, whatever its first size', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 300 }));
    fc.assert(
      fc.property(texts, fc.nat(20), (values, size) => {
        const out = new JsonWriter(size).json('[');
        for (const value of values) {
          const bytes = Buffer.from(`<${value}>`);
          out.separate().string(bytes, 1, bytes.length - 1);
        }
        expect(out.json(']').take().toString()).toBe(JSON.stringify(values));
      }),
    );
  });

  it('copies short and long parts of UTF-8', () => {
    const source = Buffer.from('ü'.repeat(100));
    const out = new JsonWriter(1).copy(source, 2, 4).plain(source, 0, source.length);
    expect(out.length).toBe(204);
    expect(out.take().toString()).toBe(`ü"${'ü'.repeat(100)}"`);
  });

  it('separates members and items, but not the first one', () => {
    const out = new JsonWriter(0);
    for (const part of ['{"a":[', '1', '2', '']) out.separate().json(part);
    expect(out.take().toString()).toBe('{"a":[1,2,');
  });

  it('starts again after its content was taken, which stays as it was', () => {
    const out = new JsonWriter(8).json('first');
    const first = out.take();
    expect(out.separate().json('other').take().toString()).toBe('other');
    expect(first.toString()).toBe('first');
    expect(out.take()).toHaveLength(0);
  });
});
