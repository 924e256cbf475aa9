import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unzipped } from '../../../test/make/zip-files.js';
import { createZip, type ZippedFile } from './zip.js';

async function* filesOf(contents: Record<string, string>, asked: string[] = []): AsyncGenerator<ZippedFile> {
  for (const [name, content] of Object.entries(contents)) {
    asked.push(name);
    yield { name, content: Readable.from([Buffer.from(content)]) };
  }
}

describe('zipped', () => {
  it('contains all files completely', async () => {
    const contents = { 'a.csv': 'one', 'b.csv': '', 'c.csv': 'x'.repeat(1_000_000) };
    expect(await unzipped(await buffer(createZip(filesOf(contents))))).toEqual(contents);
    expect(await unzipped(await buffer(createZip(filesOf({}))))).toEqual({});
  });

  it('requests a file when the previous one has been read', async () => {
    const asked: string[] = [];
    async function* files(): AsyncGenerator<ZippedFile> {
      asked.push('large');
      const large = Array.from({ length: 100 }, () => randomBytes(64 * 1024));
      yield { name: 'large', content: Readable.from(large, { objectMode: false }) };
      yield* filesOf({ small: 'two' }, asked);
    }
    const stream = createZip(files());
    await new Promise((resolve) => stream.once('readable', resolve));
    expect(asked).toEqual(['large']);
    await buffer(stream);
    expect(asked).toEqual(['large', 'small']);
  });

  it('fails for the reader at any position', async () => {
    let begun = false;
    async function* files(): AsyncGenerator<ZippedFile> {
      begun = true;
      yield* filesOf({});
      throw new Error('broken');
    }
    const stream = createZip(files());
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(false);
    await expect(buffer(stream)).rejects.toThrow('broken');
  });

  it('closes its source when the reader stops early', async () => {
    const endless = new Readable({ read: () => endless.push(randomBytes(64 * 1024)) });
    async function* files(): AsyncGenerator<ZippedFile> {
      yield { name: 'endless', content: endless };
    }
    const stream = createZip(files());
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.destroy();
    await once(endless, 'close');
  });

  it.each<[string, () => AsyncGenerator<ZippedFile>]>([
    [
      'a file fails',
      async function* () {
        yield {
          name: 'a',
          content: Readable.from(
            (function* () {
              yield Buffer.from('some');
              throw new Error('broken');
            })(),
          ),
        };
      },
    ],
    [
      'there is no next one',
      async function* () {
        yield* filesOf({ a: 'b' });
        throw new Error('broken');
      },
    ],
  ])('fails if %s', async (_what, files) => {
    await expect(buffer(createZip(files()))).rejects.toThrow('broken');
  });
});
