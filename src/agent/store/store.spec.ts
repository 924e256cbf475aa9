import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Documents } from './documents.js';
import { FlowValues } from './flow-values.js';
import { MessageQueue } from './message-queue.js';
import { Store } from './store.js';

const root = mkdtempSync(join(tmpdir(), 'agent-store-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
const newFile = (): string => join(root, String(folders++), 'store.db');

describe('A store', () => {
  it('is a file for its owner alone, and keeps its content', async () => {
    const file = newFile();
    const store = await Store.open(file);
    new Documents(store).set('device', { id: 'a' });
    await store.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await Store.open(file);
    const documents = new Documents(again);
    expect(documents.get('device')).toEqual({ id: 'a' });
    documents.delete('device');
    expect(documents.get('device')).toBeUndefined();
    await again.close();
  });

  it('belongs to one agent at a time', async () => {
    const file = newFile();
    const store = await Store.open(file);
    await expect(Store.open(file)).rejects.toThrow('set a different STORE_PATH');
    await store.close();
    await (await Store.open(file)).close();
  });

  it('keeps what was written before its process was killed', async () => {
    const file = newFile();
    const program = `
      const { Store } = await import('${new URL('store.ts', import.meta.url).href}');
      const store = await Store.open(process.argv[1]);
      for (let i = 0; i < 100; i++) store.run('INSERT INTO messages (topic, payload) VALUES (?, ?)', ['t', String(i)]);
      process.kill(process.pid, 'SIGKILL');`;
    const loader = new URL('../../../test/runner/typescript.js', import.meta.url).href;
    const args = ['--import', loader, '--input-type=module', '--eval', program, file];
    const killed = promisify(execFile)(process.execPath, args);
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(`${file}.lock`)).toBe(true);
    const store = await Store.open(file);
    expect(new MessageQueue(store).size).toBe(100);
    await store.close();
  });

  it('makes all changes of a transaction or none', async () => {
    const store = await Store.open(newFile());
    const documents = new Documents(store);
    expect(() =>
      store.transaction(() => {
        documents.set('a', 1);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(documents.get('a')).toBeUndefined();
    await store.close();
  });

  it('sets a damaged file aside and continues', async () => {
    const file = newFile();
    await (await Store.open(file)).close();
    writeFileSync(file, 'This is no database'.repeat(500));
    const reports: string[] = [];
    const store = await Store.open(file, (message) => reports.push(message));
    expect(reports).toEqual([expect.stringContaining(`kept as ${file}.damaged`)]);
    expect(new MessageQueue(store).size).toBe(0);
    await store.close();
  });

  it('refuses a file of a newer agent', async () => {
    const file = newFile();
    const store = await Store.open(file);
    store.run('PRAGMA user_version = 99');
    await store.close();
    await expect(Store.open(file)).rejects.toThrow('newer version of the agent');
  });
});

describe('With a store', () => {
  let store: Store;
  beforeEach(async () => {
    store = await Store.open(newFile());
  });
  afterEach(() => store.close());

  describe('a queue of messages', () => {
    const payloads = (queue: MessageQueue, topic: string, max = 100, maxBytes = 1_000): string[] =>
      queue.oldest(topic, max, maxBytes).map(({ payload }) => payload);

    it('returns the messages of a topic in order, up to a size', () => {
      const queue = new MessageQueue(store);
      for (const [i, topic] of ['a', 'b', 'a', 'a'].entries()) queue.add(topic, `${i}-é`);
      expect(queue.size).toBe(4);
      expect(payloads(queue, 'a')).toEqual(['0-é', '2-é', '3-é']);
      expect(payloads(queue, 'a', 2)).toEqual(['0-é', '2-é']);
      expect(payloads(queue, 'a', 100, 10)).toEqual(['0-é', '2-é']);
      expect(payloads(queue, 'a', 100, 1)).toEqual(['0-é']);
      expect(payloads(queue, 'c')).toEqual([]);
    });

    it('lists topics by their oldest message', () => {
      const queue = new MessageQueue(store);
      for (const topic of ['a', 'b', 'a', 'c']) queue.add(topic, 'x');
      expect(queue.topics()).toEqual(['a', 'b', 'c']);
      queue.remove('a', queue.oldest('a', 1, 1)[0]!.seq);
      expect(queue.topics()).toEqual(['b', 'a', 'c']);
      queue.remove('b', queue.oldest('b', 1, 1)[0]!.seq);
      expect(queue.topics()).toEqual(['a', 'c']);
    });

    it('replaces the oldest messages when it is full', () => {
      const queue = new MessageQueue(store, { messages: 3, bytes: 1_000 });
      expect(['0', '1', '2', '3', '4'].map((text) => queue.add(text < '2' ? 'a' : 'b', text))).toEqual([
        0, 0, 0, 1, 1,
      ]);
      expect(payloads(queue, 'a')).toEqual([]);
      expect(payloads(queue, 'b')).toEqual(['2', '3', '4']);
      expect(queue.topics()).toEqual(['b']);
    });

    it('bounds the bytes of its messages', () => {
      const queue = new MessageQueue(store, { messages: 100, bytes: 10 });
      for (const text of ['éé', 'bbbb', 'cc']) queue.add('a', text);
      expect(queue.size).toBe(3);
      expect(queue.add('a', 'ddddddd')).toBe(2);
      expect(payloads(queue, 'a')).toEqual(['cc', 'ddddddd']);
    });

    it('finds its messages again', () => {
      const queue = new MessageQueue(store, { messages: 100, bytes: 10 });
      for (const [topic, text] of [
        ['a', 'éé'],
        ['b', 'b'],
        ['a', 'c'],
      ] as const)
        queue.add(topic, text);
      const again = new MessageQueue(store, { messages: 100, bytes: 10 });
      expect(again.size).toBe(3);
      expect(again.topics()).toEqual(['a', 'b']);
      expect(again.add('b', '12345')).toBe(1);
      again.clear();
      expect(new MessageQueue(store).size).toBe(0);
    });
  });

  describe('values of workflows', () => {
    const actor = { id: 'run', applicationId: 'a', flowId: 'f' };
    const other = { ...actor, flowId: 'g' };

    it('are kept for each workflow', async () => {
      const values = new FlowValues(store);
      expect(await values.get(actor, 'k')).toBeUndefined();
      expect(await values.set(actor, 'k', { a: [1] })).toBeUndefined();
      await values.set(other, 'k', 2);
      expect(await values.set(actor, 'k', 'x')).toEqual({ a: [1] });
      expect(await values.all(actor)).toEqual({ k: 'x' });
      expect(await values.set(actor, 'k', undefined)).toBe('x');
      expect(await values.all(actor)).toEqual({});
      expect(await values.get(other, 'k')).toBe(2);
    });

    it('are added to', async () => {
      const values = new FlowValues(store);
      expect(await values.add(actor, 'n', 1.5)).toBe(1.5);
      expect(await values.add(actor, 'n', -1)).toBe(0.5);
      await values.set(actor, 't', 'x');
      await expect(values.add(actor, 't', 1)).rejects.toMatchObject({ name: 'ValidationError' });
      await expect(values.add(actor, 'n', NaN)).rejects.toMatchObject({ name: 'ValidationError' });
    });

    it.each([
      ['', 1],
      ['k'.repeat(256), 1],
      ['a\0', 1],
      ['k', 'x'.repeat(16_384)],
    ])('are bounded', async (key, value) => {
      await expect(new FlowValues(store).set(actor, key, value)).rejects.toMatchObject({
        name: 'ValidationError',
      });
    });

    it('and states of nodes are apart', async () => {
      const values = new FlowValues(store);
      const add = (by: number) => (current: unknown) => {
        const sum = Number(current ?? 0) + by;
        return { state: sum, result: `was ${String(current)}` };
      };
      expect(await values.update(actor, 'n', 'i', add(1))).toBe('was undefined');
      expect(await values.update(actor, 'n', 'i', add(2))).toBe('was 1');
      expect(await values.update(actor, 'n', 'j', add(2))).toBe('was undefined');
      expect(await values.all(actor)).toEqual({});
      values.clear();
      expect(await values.update(actor, 'n', 'i', add(2))).toBe('was undefined');
    });
  });
});
