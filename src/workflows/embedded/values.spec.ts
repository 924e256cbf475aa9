import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { evaluate, printed, valueAt } from '../language/evaluate.js';
import { expressions, written } from '../../../test/suites/embedded/expressions.js';
import { KINDS, Values } from '../../../test/suites/embedded/values.js';

const FUNCTIONS = 'acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh tan tanh'.split(' ');
const POWERS = ['atan2({{[0]}}, {{[1]}})', '{{[0]}} ^ {{[1]}}', 'pow({{[0]}}, {{[1]}})'];
const sampled = fc.sample(expressions, { numRuns: 60, seed: Number(process.env.SEED) });
const compiled = [...FUNCTIONS.map((name) => `${name}({{[0]}})`), ...POWERS];

const double = fc.oneof(
  fc.double(),
  fc.float(),
  fc.maxSafeInteger(),
  fc.tuple(fc.integer(), fc.integer()).map((halves) => new Float64Array(new Int32Array(halves).buffer)[0]!),
);
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '0', '__proto__', 'length', 'toString', 'valueOf'),
  fc.string(),
);
/** JSON whose objects have no integer-like keys, which JavaScript sorts first. */
const json = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(double.filter(Number.isFinite), fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null)),
    fc.constantFrom('', ' ', '1', '-0x1', 'null', '1e3', 0, 1),
    fc.array(tie('any'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('any')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members) as unknown),
  ),
})).any;
const text = (units: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...units), maxLength });

let values: Values;
beforeAll(async () => {
  values = await Values.compiled([...compiled, ...sampled.map(written)]);
}, 120_000);

const many = { numRuns: 2_000 };

describe('runtime numbers', () => {
  it('are formatted as in JavaScript', () => {
    fc.assert(
      fc.property(double, (number) => {
        values.call('writeNumber', '', number);
        expect(values.text).toBe(String(number));
      }),
      many,
    );
  });

  it('are parsed as in JavaScript', () => {
    const decimal = fc.stringMatching(/^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,30})([eE][+-]?\d{1,3})?$/);
    const odd = text(
      ['0', '1', '9', '.', 'e', '-', '+', 'x', 'a', ' ', '\n', '\u00a0', 'Infinity', 'b', 'o'],
      12,
    );
    fc.assert(
      fc.property(fc.oneof(decimal, odd, double.map(String)), (written) =>
        expect(values.call('readNumber', written)).toBe(Number(written)),
      ),
      many,
    );
  });

  it('are rounded correctly for decimals close to a midpoint, however long', () => {
    const middle = fc.record({
      mantissa: fc.bigInt(1n << 52n, (1n << 53n) - 1n),
      exponent: fc.integer({ min: -1074, max: 400 }),
      beside: fc.integer({ min: -1, max: 1 }),
    });
    fc.assert(
      fc.property(middle, ({ mantissa, exponent, beside }) => {
        const shift = exponent - 1;
        const five = shift < 0 ? 5n ** BigInt(-shift) : 1n << BigInt(shift);
        const digits = (2n * mantissa + 1n) * five * 1000n + BigInt(beside);
        const written = `${digits}e${Math.min(shift, 0) - 3}`;
        expect(values.call('readNumber', written)).toBe(Number(written));
        const longer = `${digits}.${'0'.repeat(900)}1e${Math.min(shift, 0) - 3}`;
        expect(values.call('readNumber', longer)).toBe(Number(longer));
      }),
    );
  });
});

describe('UTF-8', () => {
  const byte = fc.constantFrom(
    ...[0x41, 0x80, 0xbf, 0x9f, 0xa0, 0x8f, 0x90, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef],
    0xf0,
    0xf4,
    0xf5,
    0xff,
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc.array(byte, { maxLength: 12 }).map((list) => Uint8Array.from(list)),
  );

  it('decodes any bytes as browsers do', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    fc.assert(
      fc.property(bytes, (input) => {
        values.call('decode', input);
        expect(values.text).toBe(decoder.decode(input));
      }),
      many,
    );
  });

  it('encodes any text, including lone surrogates', () => {
    const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd700, max: 0xe000 }));
    fc.assert(
      fc.property(fc.string({ unit: unit.map((code) => String.fromCharCode(code)) }), (input) => {
        expect(values.call('encode', input)).toBe(1);
        expect(values.bytes).toEqual(Buffer.from(input));
      }),
      many,
    );
  });
});

describe('JSON', () => {
  const rewritten = (input: string): string | undefined =>
    values.call('rewrite', Buffer.from(input)) ? values.text : undefined;
  const expected = (input: string): string | undefined => {
    try {
      return JSON.stringify(JSON.parse(input));
    } catch {
      return undefined;
    }
  };

  it('is parsed, cloned and written as in JavaScript', () => {
    const sorted = (value: unknown): boolean =>
      JSON.stringify(JSON.parse(JSON.stringify(value)), undefined, 1) === JSON.stringify(value, undefined, 1);
    fc.assert(
      fc.property(json.filter(sorted), (value) => {
        expect(rewritten(JSON.stringify(value, undefined, 1))).toBe(JSON.stringify(value));
      }),
      many,
    );
  });

  it('is rejected if it is invalid', () => {
    const signs = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '1',
      '-',
      '.',
      'e',
      '0',
      ' ',
      '\n',
      'null',
      'true',
      '\\',
      'u',
    ];
    const parts = [
      ...signs,
      'd83d',
      '\\ude00',
      '\\u12aB',
      '\t',
      '\u0001',
      '"a":',
      '"b"',
      '{}',
      '[]',
      '\ufeff',
    ];
    fc.assert(
      fc.property(text(parts, 16), (input) => expect(rewritten(input)).toBe(expected(input))),
      { numRuns: 10_000 },
    );
  });

  it('can be nested up to 128 levels deep', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = (depth: number): string =>
        open.repeat(depth - 1) + (open === '[' ? '[]' : '{}') + close.repeat(depth - 1);
      expect(rewritten(deep(128))).toBe(deep(128));
      expect(rewritten(deep(129))).toBeUndefined();
      expect(rewritten(open.repeat(300_000))).toBeUndefined();
    }
  });

  it('treats keys such as __proto__ like any others; the last duplicate wins at the position of the first', () => {
    expect(rewritten('{"b":1,"__proto__":{"x":1},"constructor":2,"b":3}')).toBe(
      '{"b":3,"__proto__":{"x":1},"constructor":2}',
    );
  });

  it('is shown by templates as in JavaScript', () => {
    fc.assert(
      fc.property(json, (value) => {
        values.callJson('print', value);
        expect(values.text).toBe(printed(value));
      }),
    );
  });

  it('equals values with the same properties in any order, and nothing else', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, item]) => [name, turned(item)]),
      );
    };
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(values.callJson('areEqual', [one, turned(one)])).toBe(1);
        const [left, right] = [one, other].map((value): unknown => JSON.parse(JSON.stringify(value)));
        expect(values.callJson('areEqual', [one, other])).toBe(isDeepStrictEqual(left, right) ? 1 : 0);
        expect(values.callJson('areEqual', [one, { one }])).toBe(0);
      }),
    );
  });
});

describe('path', () => {
  const path = fc.array(fc.constantFrom('a', 'b', '0', '1', '2', 'length', '__proto__', '01', ''), {
    minLength: 1,
    maxLength: 4,
  });

  it('reads the same values as in JavaScript, but own properties only', () => {
    fc.assert(
      fc.property(path, json, (names, payload) => {
        const kind = KINDS[values.callJson('getAt', [names, payload])];
        const value = valueAt(names, JSON.parse(JSON.stringify(payload)));
        expect(kind === 'undefined' ? undefined : JSON.parse(values.text)).toEqual(value);
      }),
      { ...many, examples: [[['__proto__'], JSON.parse('{"__proto__":false}')]] },
    );
  });

  it('reads the value that was set, and undefined after it was removed', () => {
    fc.assert(
      fc.property(path, json, (names, payload) => {
        if (!values.callJson('setAt', [names, payload, { set: 1 }])) return;
        const changed: unknown = JSON.parse(values.text);
        expect(valueAt(names, changed)).toEqual({ set: 1 });
        expect(values.callJson('removeAt', [names, changed])).toBe(1);
        expect(valueAt(names, JSON.parse(values.text))).not.toEqual({ set: 1 });
      }),
      many,
    );
  });

  it.each([
    [['a', 'b'], {}, { a: { b: 1 } }],
    [['a', '0', 'b'], {}, { a: [{ b: 1 }] }],
    [['a', '2'], { a: [0] }, { a: [0, null, 1] }],
    [['a', 'b'], { a: 7 }, { a: { b: 1 } }],
    [['a', 'b'], { a: [7] }, undefined],
    [['a', '10001'], { a: [] }, undefined],
    [[], { a: 1 }, undefined],
    [['a'], 'text', undefined],
  ])('creates missing parents for %j in %j', (names, payload, changed) => {
    expect(values.callJson('setAt', [names, payload, 1])).toBe(changed ? 1 : 0);
    if (changed) expect(JSON.parse(values.text)).toEqual(changed);
  });
});

describe('expressions', () => {
  const yields = (index: number, payload: unknown): [kind: string | undefined, text: string] => [
    KINDS[values.callJson('yieldOf', payload, index)],
    values.text,
  ];
  const kindOf = (value: unknown): string => {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'list';
    return typeof value === 'string' ? 'text' : typeof value;
  };

  it('yield the same values as in JavaScript', () => {
    fc.assert(
      fc.property(json, (payload) => {
        const read: unknown = JSON.parse(JSON.stringify(payload));
        sampled.forEach((expression, i) => {
          const value = evaluate(expression, read);
          const shown = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
          expect([written(expression), ...yields(compiled.length + i, payload)]).toEqual([
            written(expression),
            kindOf(value),
            shown,
          ]);
        });
      }),
    );
  });

  it('evaluate functions as JavaScript does, except for the last digits', () => {
    const near = (actual: number, expected: number): void => {
      if (Number.isFinite(expected))
        expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-13 * Math.abs(expected) + 1e-300);
      else expect(actual).toBe(expected);
    };
    const argument = fc.oneof(
      fc.double({ min: -30, max: 30, noNaN: true }),
      fc.constantFrom(0, 1, -1, 0.5, 1e9, 1e300),
    );
    fc.assert(
      fc.property(argument, argument, (x, y) => {
        const args = [x + 0, y + 0];
        FUNCTIONS.forEach((name, i) => near(Number(yields(i, args)[1]), Math[name as 'sin'](args[0]!)));
        near(Number(yields(FUNCTIONS.length, args)[1]), Math.atan2(args[0]!, args[1]!));
        for (const i of [1, 2]) near(Number(yields(FUNCTIONS.length + i, args)[1]), args[0]! ** args[1]!);
      }),
    );
  });
});

it('the previous tests leak no memory', () => {
  expect(values.pages).toBeLessThan(200);
});
