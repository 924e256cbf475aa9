import { jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { suite } from '../../../test/setup/suite.js';
import { uniqueName } from '../../../test/make/make.js';
import { BlobMissing, BLOBS, type Blobs } from '../../lib/blobs/blobs.js';
import { TemporaryBlob } from './temporary-blob.entity.js';
import { TemporaryBlobs } from './temporary-blobs.js';

const { test } = suite({ PROCESS_ROLE: 'api' });
let temporary: TemporaryBlobs;
let key: string;
beforeEach(() => {
  temporary = test.app.get(TemporaryBlobs);
  key = `exports/${uniqueName()}.csv`;
});

const store = (content: string) =>
  temporary.put(key, Readable.from([Buffer.from(content)]), { contentType: 'text/csv' });
const endsAt = async () => (await test.dataSource.manager.findOneByOrFail(TemporaryBlob, { key })).endsAt;
const end = () => test.dataSource.manager.update(TemporaryBlob, { key }, { endsAt: new Date(0) });
const download = async (url: string) => {
  const { pathname, search } = new URL(url);
  return (await fetch(test.client.url + pathname + search)).text();
};

describe('A temporary blob', () => {
  it('exists as long as its link', async () => {
    await store('a,b');
    const link = await temporary.link(key, 'data.csv', 3_600);
    expect(link.endsAt).toEqual(await endsAt());
    expect(Math.abs(link.endsAt.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(await download(link.url)).toBe('a,b');
    await temporary.removeSome();
    expect(await download(link.url)).toBe('a,b');
  });

  it('is removed after it has expired', async () => {
    await store('a,b');
    await end();
    await temporary.removeSome();
    await expect(test.app.get<Blobs>(BLOBS).read(key)).rejects.toThrow(BlobMissing);
    expect(await test.dataSource.manager.countBy(TemporaryBlob, { key })).toBe(0);
  });

  it('is removed even if the store fails to remove another', async () => {
    const blobs = test.app.get<Blobs>(BLOBS);
    const stuck = key;
    await store('a');
    await end();
    key = `exports/${uniqueName()}.csv`;
    await store('b');
    await end();
    const remove = blobs.delete.bind(blobs);
    const removal = jest.spyOn(blobs, 'delete').mockImplementation(async (one) => {
      if (one === stuck) throw new Error('it is locked');
      return remove(one);
    });
    await expect(temporary.removeSome()).rejects.toThrow('it is locked');
    removal.mockRestore();
    await expect(blobs.read(key)).rejects.toThrow(BlobMissing);
    const left = (of: string) => test.dataSource.manager.countBy(TemporaryBlob, { key: of });
    expect([await left(stuck), await left(key)]).toEqual([1, 0]);
    await temporary.removeSome();
    expect(await left(stuck)).toBe(0);
  });

  it('is recorded before it is stored, so that an unfinished one is removed too', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('a');
        throw new Error('the worker was killed');
      })(),
    );
    await expect(temporary.put(key, broken, { contentType: 'text/csv' })).rejects.toThrow('killed');
    expect((await endsAt()).getTime()).toBeGreaterThan(Date.now());
    await end();
    await temporary.removeSome();
    expect(await test.dataSource.manager.countBy(TemporaryBlob, { key })).toBe(0);
  });
});
