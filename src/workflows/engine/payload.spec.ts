import fc from 'fast-check';
import { MAX_PAYLOAD_BYTES } from './limits.js';
import { Payload } from './payload.js';

const name = fc.constantFrom('a', 'b', '0', '1');
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const value = fc.oneof(fc.integer(), fc.constantFrom({ a: { b: [1] } }, [[0], { a: 1 }]));
/** Changes of one of the payloads; `who` is an index into those that exist. */
const operation = fc.oneof(
  fc.record({ type: fc.constant('fork' as const), who: fc.nat() }),
  fc.record({ type: fc.constant('set' as const), who: fc.nat(), path, value }),
  fc.record({ type: fc.constant('copy' as const), who: fc.nat(), path, from: path }),
  fc.record({ type: fc.constant('remove' as const), who: fc.nat(), path }),
);

it('never shows changes of one path to another', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const payloads = [new Payload({ a: { a: [1, { b: 2 }] }, b: [[3]] })];
      for (const one of operations) {
        const at = one.who % payloads.length;
        const chosen = payloads[at]!;
        const others = payloads.map(({ data }) => structuredClone(data));
        const read = one.type === 'copy' ? chosen.get(one.from) : undefined;
        const before = structuredClone(read);
        if (one.type === 'fork') payloads.push(chosen.fork());
        else if (one.type === 'set') chosen.set(one.path, one.value);
        else if (one.type === 'copy') chosen.set(one.path, read);
        else chosen.remove(one.path);
        others.forEach((data, i) => i === at || expect(payloads[i]!.data).toEqual(data));
        expect(read).toEqual(before);
      }
    }),
  );
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
