import fc from 'fast-check';
import { MAX_PAYLOAD_BYTES } from './limits.js';
import { Payload } from './payload.js';

const name = fc.constantFrom('a', 'b', '0', '1');
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const value = fc.oneof(fc.integer(), fc.constantFrom({ a: { b: [1] } }, [[0], { a: 1 }]));
const who = fc.nat();
/** Changes of one of the payloads; `who` is an index into those that exist. */
const operation = fc.oneof(
  fc.record({ type: fc.constant('fork' as const), who }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant('set' as const), who, path, value }) },
  fc.record({ type: fc.constant('copy' as const), who, path, from: path }),
  fc.record({ type: fc.constant('wrap' as const), who, path, from: path }),
  fc.record({ type: fc.constant('remove' as const), who, path }),
  fc.record({ type: fc.constant('keep' as const), who, from: path }),
  fc.record({ type: fc.constant('begin' as const), who }),
  fc.record({ type: fc.constant('commit' as const), who }),
  fc.record({ type: fc.constant('rollback' as const), who }),
);

/** Payload, and what its data must be after `rollback`. */
interface Tracked {
  readonly payload: Payload;
  before?: unknown;
}

/** Applies an operation to a payload. Returns a value that others keep from now on. */
function apply(one: typeof operation extends fc.Arbitrary<infer T> ? T : never, all: Tracked[]): unknown {
  const chosen = all[one.who % all.length]!;
  const { payload } = chosen;
  switch (one.type) {
    case 'fork':
      return void all.push({ payload: payload.fork() });
    case 'set':
      return payload.set(one.path, one.value);
    case 'copy':
      return payload.set(one.path, payload.get(one.from));
    case 'wrap':
      return payload.set(one.path, { a: [payload.get(one.from)] });
    case 'remove':
      return payload.remove(one.path);
    case 'keep':
      payload.lend(payload.get(one.from));
      return payload.get(one.from);
    case 'begin':
      if (payload.isAttempt) return undefined;
      chosen.before = structuredClone(payload.data);
      return payload.begin();
    case 'commit':
      return payload.commit();
    case 'rollback':
      if (!payload.isAttempt) return undefined;
      payload.rollback();
      expect(payload.data).toEqual(chosen.before);
  }
}

it('never shows changes of one path to another, and undoes exactly the changes since their begin', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const all: Tracked[] = [{ payload: new Payload({ a: { a: [1, { b: 2 }] }, b: [[3]] }) }];
      const kept: { value: unknown; copy: unknown }[] = [];
      for (const one of operations) {
        const at = one.who % all.length;
        const others = all.map(({ payload }) => structuredClone(payload.data));
        const value = apply(one, all);
        if (value !== undefined) kept.push({ value, copy: structuredClone(value) });
        others.forEach((data, i) => i === at || expect(all[i]!.payload.data).toEqual(data));
        for (const { value, copy } of kept) expect(value).toEqual(copy);
      }
    }),
    { numRuns: 1_000 },
  );
});

it('writes what a copy of its own would receive', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const shared: Tracked[] = [{ payload: new Payload({ a: { a: [1, { b: 2 }] }, b: [[3]] }) }];
      let data: unknown = structuredClone(shared[0]!.payload.data);
      for (const one of operations) {
        if (one.type === 'rollback' || one.type === 'begin' || one.type === 'commit') continue;
        const alone = [{ payload: new Payload(structuredClone(data)) }];
        apply({ ...one, who: 0 }, alone);
        data = alone[0]!.payload.data;
        shared[0]!.payload.begin();
        apply({ ...one, who: 0 }, shared);
        shared[0]!.payload.commit();
        expect(shared[0]!.payload.data).toEqual(data);
      }
    }),
  );
});

it('copies a list with the items that it lacks', () => {
  const payload = new Payload({});
  payload.set(['list', '1'], 'b');
  payload.share();
  payload.set(['list', '2'], 'c');
  payload.remove(['list', '0']);
  expect(Object.keys(payload.get(['list']) as object)).toEqual(['1', '2']);
});

it('keeps two places apart that have received the same value', () => {
  const payload = new Payload({});
  payload.set(['a', 'x'], 1);
  payload.set(['b'], payload.get(['a']));
  payload.set(['a', 'x'], 2);
  expect(payload.data).toEqual({ a: { x: 2 }, b: { x: 1 } });
});

it('leaves data unchanged that others keep', () => {
  const payload = new Payload({});
  payload.set(['a', 'x'], 1);
  const { data } = payload;
  payload.share();
  payload.set(['a', 'x'], 2);
  expect(data).toEqual({ a: { x: 1 } });
});

it('refuses a text of more than 5 MiB', () => {
  const payload = new Payload({});
  payload.set(['a'], 'x'.repeat(MAX_PAYLOAD_BYTES));
  expect(() => payload.set(['a'], 'x'.repeat(MAX_PAYLOAD_BYTES + 1))).toThrow(
    expect.objectContaining({ name: 'PayloadTooLarge' }),
  );
});

it.each(['__proto__', 'constructor', 'prototype'])('never writes to %s', (forbidden) => {
  const payload = new Payload({});
  payload.set(['a', forbidden, 'x'], 1);
  payload.set([forbidden], { x: 1 });
  expect(payload.data).toEqual({});
  expect(({} as { x?: number }).x).toBeUndefined();
});
