import fc from 'fast-check';
import { utf8 } from '../../../test/doubles/encoded-row.js';
import { JsonWriter } from './json-writer.js';

describe('A JSON writer', () => {
  it('writes any text as a string', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 300 }));
    fc.assert(
      fc.property(texts, (values) => {
        const out = new JsonWriter().json('[');
        for (const value of values) {
          const bytes = utf8(`<${value}>`);
          out.separate().string(bytes, 1, bytes.length - 1);
        }
        expect(out.json(']').take()).toBe(utf8(JSON.stringify(values)));
      }),
    );
  });

  it('copies short and long parts of UTF-8', () => {
    const source = utf8('ü'.repeat(100));
    const out = new JsonWriter().copy(source, 2, 4).plain(source, 0, source.length);
    expect(out.length).toBe(204);
    expect(out.take()).toBe(`${utf8('ü')}"${source}"`);
  });

  it.each([1, 3])('writes %i MB more than its first buffer has, more than once', (size) => {
    const part = utf8('ü'.repeat(50_000));
    for (let time = 0; time < 3; time++) {
      const out = new JsonWriter();
      for (let written = 0; written < size * 10; written++) out.copy(part);
      expect(out.take() === part.repeat(size * 10)).toBe(true);
    }
  });

  it('separates members and items, but not the first one', () => {
    const out = new JsonWriter();
    for (const part of ['{"a":[', '1', '2', '']) out.separate().json(part);
    expect(out.take()).toBe('{"a":[1,2,');
  });

  it('continues after a part was taken, while another one writes', () => {
    const [out, other] = [new JsonWriter(), new JsonWriter()];
    expect(out.take()).toBe('');
    expect(out.separate().json('[1').take()).toBe('[1');
    expect(out.take()).toBe('');
    out.separate().json('2');
    other.json('a').copy('b');
    expect(out.take()).toBe(',2');
    expect(other.take()).toBe('ab');
    expect(out.separate().json('3]').take()).toBe(',3]');
  });
});
