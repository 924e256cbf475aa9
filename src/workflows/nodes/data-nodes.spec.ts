import fc from 'fast-check';
import { ChainHost, compileChains } from '../../../test/suites/embedded/chains.js';
import { CHAINS, DNS } from '../../../test/suites/embedded/data-chains.js';

let module: Uint8Array;
let device: ChainHost;

beforeAll(async () => {
  module = await compileChains(CHAINS);
  device = new ChainHost(module);
}, 120_000);

const run = (name: keyof typeof CHAINS, data?: object) => device.run(name, data);
/** Returns a list after a chain of rules, and the value written to `working.out`. */
const listAfter = (name: keyof typeof CHAINS, list: unknown, data: object = {}) => {
  const { payload } = run(name, { list, ...data });
  return { list: payload.data.list, ...payload.working };
};

describe('MathNode', () => {
  it('evaluates statements in sequence, and writes null for results that are not numbers', () => {
    const { payload } = run('math', { a: 37 });
    expect(payload.working).toEqual({ r0: 98.6, r1: 98.6, r2: null, r3: 1, r4: null });
  });
});

describe('MutateNode', () => {
  it('sets the value of a single reference, and rendered text', () => {
    expect(run('setText', { a: [1, { b: null }] }).payload.working).toEqual({
      raw: [1, { b: null }],
      text: 'a is 1,[object Object]',
      none: '',
      list: [null, null, '12'],
    });
  });

  it('sets JSON in which payload values cannot inject structure', () => {
    const b = '", "c": "\n\\';
    expect(run('setJson', { a: { x: 1 }, b }).payload.working).toEqual({
      made: { a: { x: 1 }, b },
      flag: true,
    });
  });

  it('copies a value into itself', () => {
    expect(run('setInOwn', { a: 1 }).payload.data).toEqual({ a: 1, inner: { a: 1 } });
  });

  it('copies, moves and removes', () => {
    const { payload } = run('moves', { a: { b: 1 }, list: [1, 2, 3] });
    expect(payload.data).toEqual({ list: [2, 3] });
    expect(payload.working).toEqual({ copied: { b: 1 }, moved: { b: 1, member: 'new' } });
  });

  it('fails if the path cannot be written', () => {
    expect(run('badPath', { list: [] }).error).toEqual({ name: 'PathError', message: expect.any(String) });
  });
});

describe('ArrayNode', () => {
  it('removes falsy items', () => {
    expect(listAfter('compact', [0, 1, '', 'a', null, false, [], {}]).list).toEqual([1, 'a', [], {}]);
  });

  it('appends a list, given as a list or as JSON', () => {
    expect(listAfter('concat', [1], { other: [2, [3]] }).list).toEqual([1, 2, [3]]);
    expect(listAfter('concatText', [1], { one: '"a"' }).list).toEqual([1, 'a', 9]);
    expect(run('concat', { list: [], other: 'none' }).error?.name).toBe('ValidationError');
  });

  it('deduplicates scalars', () => {
    expect(listAfter('deduplicate', [1, '1', 1, null, {}, {}, '1', true, null]).list).toEqual([
      1,
      '1',
      null,
      {},
      {},
      true,
    ]);
  });

  it('deduplicates, groups and keys items by a property', () => {
    const list = [{ kind: 'a', n: 1 }, { kind: 'b', n: 2 }, { kind: 'a', n: 3 }, 5];
    expect(listAfter('deduplicateBy', list)).toEqual({ list, out: [list[0], list[1], 5] });
    expect(listAfter('groupBy', list).out).toEqual({ a: [list[0], list[2]], b: [list[1]], undefined: [5] });
    expect(listAfter('keyBy', list).out).toEqual({ a: list[2], b: list[1], undefined: 5 });
  });

  it('filters by value, index, list and payload', () => {
    const list = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }];
    expect(listAfter('filter', list, { limit: 3 })).toEqual({ list, out: [{ n: 2 }, { n: 3 }] });
  });

  it('flattens one level', () => {
    expect(listAfter('flatten', [1, [2, [3]], []]).list).toEqual([1, 2, [3]]);
  });

  it('finds the index of an item, and the item at an index', () => {
    const list = ['a', { b: [1] }, 3];
    expect(listAfter('indexOf', list, { sought: { b: [1] } }).out).toBe(1);
    expect(listAfter('indexOf', list, { sought: 'c' }).out).toBe(-1);
    expect(listAfter('lookupAt', list, { at: 1 }).out).toEqual({ b: [1] });
    expect(listAfter('lookupAt', list, { at: -1 }).out).toBe(3);
    expect(listAfter('lookupAt', list, { at: 3 })).toEqual({ list });
    expect(listAfter('length', list).out).toBe(3);
  });

  it('adds and removes items at both ends', () => {
    expect(listAfter('push', [1]).list).toEqual([1, { list: [1] }]);
    expect(listAfter('unshift', [1], { item: 'a' }).list).toEqual(['a', 1]);
    expect(listAfter('pop', [1, 2])).toEqual({ list: [1], out: 2 });
    expect(listAfter('shift', [1, 2])).toEqual({ list: [2], out: 1 });
    expect(listAfter('pop', [])).toEqual({ list: [] });
    expect(listAfter('popQuietly', [1, 2])).toEqual({ list: [1, 2], shorter: [1] });
  });

  it.each([
    [0, ['new', 'a', 'b']],
    [1, ['a', 'new', 'b']],
    ['2', ['a', 'b', 'new']],
    [99, ['a', 'b', 'new']],
    [-1, ['a', 'new', 'b']],
    [-99, ['new', 'a', 'b']],
  ])('inserts at index %s', (at, expected) => {
    expect(listAfter('insertAt', ['a', 'b'], { at, item: 'new' }).list).toEqual(expected);
  });

  it('removes and replaces items', () => {
    expect(listAfter('removeAt', [1, 2, 3], { at: 1 })).toEqual({ list: [1, 3], out: 2 });
    expect(listAfter('removeAt', [1, 2, 3], { at: 3 })).toEqual({ list: [1, 2, 3] });
    expect(listAfter('replaceAt', [1, 2, 3], { at: -1 })).toEqual({ list: [1, 2, 'new'], out: 3 });
    expect(listAfter('replaceAt', [1], { at: 1 })).toEqual({ list: [1] });
  });

  it.each([1.5, 'a', '', null, {}, undefined])('fails with the index %j', (at) => {
    expect(run('removeAt', { list: [1, 2], at }).error?.name).toBe('ValidationError');
  });

  it.each([
    [1, 3, [2, 3]],
    ['', '', [1, 2, 3, 4]],
    [-2, '', [3, 4]],
    [0, -1, [1, 2, 3]],
    [3, 1, []],
    [9, 99, []],
  ])('slices from %j to %j, exclusive', (from, to, expected) => {
    expect(listAfter('slice', [1, 2, 3, 4], { from, to }).list).toEqual(expected);
  });

  it('sorts stably', () => {
    const list = [10, 9, 'b', 'a', true, null, 2];
    expect(listAfter('sort', list)).toEqual({ list, out: [null, true, 2, 9, 10, 'a', 'b'] });
    expect(listAfter('sortDown', list).out).toEqual(['b', 'a', 10, 9, 2, true, null]);
    const rows = Array.from({ length: 100 }, (_, i) => ({ n: i % 3, i }));
    const sorted = [2, 1, 0].flatMap((n) => rows.filter((row) => row.n === n));
    expect(listAfter('sortBy', rows).out).toEqual(sorted);
  });

  it('sums numbers and ignores other items', () => {
    expect(listAfter('sum', [1, 2.5, '3', null, [4]]).out).toBe(3.5);
  });

  it('reverses a list, also into another path', () => {
    expect(listAfter('reverse', [1, 2])).toEqual({ list: [1, 2], backwards: [2, 1] });
  });

  it('applies rules in sequence', () => {
    expect(listAfter('several', [1, 2], { item: 3 })).toEqual({ list: [3, 2, 1], length: 3, first: 3 });
  });

  it.each([undefined, null])('creates an empty list instead of %j', (list) => {
    expect(listAfter('length', list)).toEqual({ list: [], out: 0 });
    expect(listAfter('unshift', list, { item: 'a' }).list).toEqual(['a']);
    expect(listAfter('popQuietly', list)).toEqual({ list: [], shorter: [] });
    expect(run('reverse').payload).toMatchObject({ data: { list: [] }, working: { backwards: [] } });
  });

  it('takes a text as its characters, and leaves the text itself', () => {
    expect(listAfter('length', 'a😀é')).toEqual({ list: 'a😀é', out: 3 });
    expect(listAfter('lookupAt', 'a😀é', { at: 1 })).toEqual({ list: 'a😀é', out: '😀' });
    expect(listAfter('pop', 'ab')).toEqual({ list: 'ab', out: 'b' });
    expect(listAfter('reverse', 'abc')).toEqual({ list: 'abc', backwards: ['c', 'b', 'a'] });
    expect(listAfter('unshift', '', { item: 'a' }).list).toBe('');
  });

  it.each([5, true, { length: 1 }])('fails if the list is %j', (list) => {
    expect(run('length', { list }).error).toEqual({ name: 'ValidationError', message: expect.any(String) });
  });
});

describe('JsonDecodeNode and JsonEncodeNode', () => {
  it('decodes JSON', () => {
    expect(run('decode', { text: ' {"a":[1,null]} ' }).payload.working).toEqual({ value: { a: [1, null] } });
  });

  it.each(['{', '', 'nul', 5, undefined])('fails to decode %j', (text) => {
    expect(run('decode', { text }).error?.name).toBe('InvalidJsonError');
    expect(run('decodeTold', { text }).payload.working).toEqual({
      error: { name: 'InvalidJsonError', message: expect.any(String) },
    });
  });

  it('encodes JSON', () => {
    expect(run('encode', { a: ['"', 1e21], é: null }).payload.working.text).toBe(
      '{"a":["\\"",1e+21],"é":null}',
    );
  });
});

describe('GenerateIdNode', () => {
  const UUID = (version: number) =>
    new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

  it('generates time-based UUIDs in increasing order', () => {
    const { id: first, next } = run('uuidv1').payload.working;
    expect(first).toMatch(UUID(1));
    expect(timeOf(next) - timeOf(first)).toBe(1n);
    // UUID timestamps count 100 ns intervals since 1582.
    expect((timeOf(first) - 122_192_928_000_000_000n) / 10_000n).toBe(BigInt(device.host.time));
  });

  it('generates distinct random UUIDs', () => {
    const ids = Array.from({ length: 50 }, () => run('uuidv4').payload.working.id);
    for (const one of ids) expect(one).toMatch(UUID(4));
    expect(new Set(ids).size).toBe(50);
  });

  it('generates the standard name-based UUIDs', () => {
    expect(run('uuidv3', { name: 'www.example.com' }).payload.working.id).toBe(
      '5df41881-3aed-3515-88a7-2f4a814cf09e',
    );
    const data = { name: 'www.example.com', ns: DNS.toUpperCase() };
    expect(run('uuidv5', data).payload.working.id).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it.each([0, 39, 40, 47, 48, 55, 56, 111, 112, 113, 300])('hashes a name of %d bytes', async (length) => {
    const { createHash } = await import('node:crypto');
    const name = 'ü'.repeat(length >> 1) + 'x'.repeat(length & 1);
    const bytes = Buffer.concat([Buffer.from(DNS.replaceAll('-', ''), 'hex'), Buffer.from(name)]);
    for (const [chain, digest, version] of [
      ['uuidv3', 'md5', '3'],
      ['uuidv5', 'sha1', '5'],
    ] as const) {
      const hex = createHash(digest).update(bytes).digest('hex');
      const made: string = run(chain, { name, ns: DNS }).payload.working.id.replaceAll('-', '');
      expect(made.slice(0, 12)).toBe(hex.slice(0, 12));
      expect(made[12]).toBe(version);
      expect(made.slice(13, 16)).toBe(hex.slice(13, 16));
      expect(made.slice(17)).toBe(hex.slice(17, 32));
    }
  });

  it.each(['', 'no uuid', DNS + '0', DNS.replace('6', 'g'), DNS.replaceAll('-', '_')])(
    'fails with the namespace %j',
    (ns) => {
      expect(run('uuidv5', { ns, name: 'a' }).error?.name).toBe('ValidationError');
    },
  );

  it('generates object IDs with an increasing counter', () => {
    const { id: first, next } = run('objectId').payload.working;
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    expect(first.slice(0, 8)).toBe(Math.floor(device.host.time / 1000).toString(16));
    expect(next.slice(0, 18)).toBe(first.slice(0, 18));
    expect(parseInt(next.slice(18), 16)).toBe((parseInt(first.slice(18), 16) + 1) % 2 ** 24);
  });

  it('generates nanoids of 1 to 256 characters', () => {
    expect(run('nanoid').payload.working.id).toMatch(/^[\w-]{21}$/);
    expect(run('nanoidOf', { length: 256 }).payload.working.id).toMatch(/^[\w-]{256}$/);
    expect(run('nanoidOf', { length: '1' }).payload.working.id).toHaveLength(1);
    for (const length of [0, 257, -1, 1.5, 'many', null])
      expect(run('nanoidOf', { length }).error?.name).toBe('ValidationError');
  });

  it('generates the type of ID that a template yields', () => {
    const made = (type: string) => run('anyId', { type }).payload.working.id;
    expect(made('uuidv1')).toMatch(UUID(1));
    expect(made(' UuidV3 ')).toBe('5df41881-3aed-3515-88a7-2f4a814cf09e');
    expect(made('uuidv4')).toMatch(UUID(4));
    expect(made('uuidv5')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
    expect(made('objectId')).toMatch(/^[0-9a-f]{24}$/);
    expect(made('nanoid')).toMatch(/^[\w-]{8}$/);
    expect(run('anyId', { type: 'cuid' }).error?.name).toBe('ValidationError');
  });

  it('generates different IDs on another device or at another time', () => {
    const others = [
      new ChainHost(module, { deviceId: 'f'.repeat(24) }),
      new ChainHost(module),
      new ChainHost(module),
    ];
    others[1]!.host.time += 1;
    const ids = others.map((other) => other.run('uuidv4').payload.working.id);
    expect(new Set(ids).size).toBe(3);
    // A device at the same time generates the same IDs: they must not be used as secrets.
    expect(new ChainHost(module).run('uuidv4').payload.working.id).toBe(ids[2]);
  });
});

/** Returns the timestamp of a time-based UUID. */
function timeOf(uuid: string): bigint {
  const [low, middle, high] = uuid.split('-');
  return BigInt(`0x${high!.slice(1)}${middle}${low}`);
}

describe('RandomNumberNode', () => {
  it('generates every integer within its bounds', () => {
    const drawn = new Set(Array.from({ length: 200 }, () => run('random', { max: 4.9 }).payload.working.n));
    expect([...drawn].sort()).toEqual([1, 2, 3, 4]);
  });

  it.each([0.9, 0, -5, null, 'many', 1e300])('returns null for the upper bound %j', (max) => {
    expect(run('random', { max }).payload.working).toEqual({ n: null });
  });
});

describe('all chains', () => {
  /** Properties of `data` that the chains read; each can be any JSON value. */
  const MEMBERS = ['a', 'at', 'b', 'from', 'item', 'length', 'limit', 'max', 'name', 'ns', 'one', 'other'];
  const anything = fc.jsonValue({ maxDepth: 3 });
  const list = fc.oneof(fc.array(anything, { maxLength: 8 }), anything);
  const data = fc.record({
    ...Object.fromEntries([...MEMBERS, 'sought', 'text', 'to', 'type'].map((name) => [name, anything])),
    list,
  });

  it.each(Object.keys(CHAINS) as (keyof typeof CHAINS)[])('terminate with any payload: %s', (name) => {
    fc.assert(
      fc.property(data, (given) => {
        const { code, error } = run(name, given);
        expect(code).toBe(0);
        if (error) expect(error.message).not.toBe('');
      }),
      { numRuns: 10 },
    );
  });
});
