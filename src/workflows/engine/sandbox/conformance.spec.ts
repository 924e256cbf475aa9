import fc from 'fast-check';
import { ENGINES, scriptRunner } from '../../../../test/doubles/script-engines.js';

describe.each(ENGINES)('Scripts in $name', ({ create }) => {
  // No script of this suite is stopped, on however slow a machine.
  const run = scriptRunner(() => create(20_000));
  const resultOf = async (...call: Parameters<typeof run>) => {
    const { payload: result, error } = await run(...call);
    expect(error).toBeUndefined();
    return result;
  };

  describe('payload', () => {
    it('can be changed in place', async () => {
      const script =
        'payload.working = { avg: payload.data.v.reduce((a, b) => a + b) / payload.data.v.length };';
      expect(await resultOf(script, { data: { v: [1, 2, 3] } })).toEqual({
        data: { v: [1, 2, 3] },
        working: { avg: 2 },
      });
    });

    it.each([
      ["return { value: 'Total' };", { value: 'Total' }],
      ['return null;', null],
      ['return 0;', 0],
      ["return '';", ''],
      ['return false;', false],
      ["return '#';", '#'],
      ["return '!{}';", '!{}'],
      ['return undefined;', { data: 1 }],
      ['return;', { data: 1 }],
      ['', { data: 1 }],
      ['// a comment', { data: 1 }],
      ['return () => 1;', { data: 1 }],
    ])(
      'is replaced by what the script returns, unless that is undefined or a function: %s',
      async (script, result) => {
        expect(await resultOf(script, { data: 1 })).toEqual(result);
      },
    );

    it('of the caller is never changed', async () => {
      const payload = { data: { rows: [{ a: 1 }] } };
      await run('payload.data.rows[0].a = 2; payload.data.rows.push(1)', payload);
      expect(payload).toEqual({ data: { rows: [{ a: 1 }] } });
    });

    it.each([undefined, null, 1, 'text', true, [1, 2]])('can be %j', async (payload) => {
      expect(await resultOf('return { type: typeof payload, payload }', payload)).toEqual({
        type: typeof payload,
        payload,
      });
      expect(await resultOf('', payload)).toEqual(payload);
    });

    it('keeps dates inside and afterwards', async () => {
      const time = new Date(1_700_000_000_123);
      const script = `
        if (!(payload.time instanceof Date) || !(payload.list[1].at instanceof Date)) throw new Error('no date');
        payload.later = new Date(payload.time.getTime() + 1);
        payload.text = payload.time.toISOString();
        payload.json = JSON.stringify(payload.time);`;
      expect(await resultOf(script, { time, list: [0, { at: time }], 'a.b': { '': time } })).toEqual({
        time,
        list: [0, { at: time }],
        'a.b': { '': time },
        later: new Date(1_700_000_000_124),
        text: time.toISOString(),
        json: JSON.stringify(time.toISOString()),
      });
    });

    it('can be a date', async () => {
      expect(await resultOf('return new Date(payload.getTime() * 2)', new Date(7))).toEqual(new Date(14));
    });

    it('keeps texts that look like dates', async () => {
      const texts = { text: '2026-01-01T00:00:00.000Z', date: new Date(0) };
      expect(await resultOf('', texts)).toEqual(texts);
    });

    it('becomes plain data', async () => {
      const script = `return {
        nan: NaN, infinite: -Infinity, missing: undefined, list: [undefined, () => 1, NaN], f() {}, symbol: Symbol('a'),
        invalid: new Date(NaN), map: new Map([[1, 2]]), instance: new (class { a = 1; get b() { return 2; } })(),
        bytes: Buffer.from('a'), nested: { toJSON() { return 'own'; } }, zero: -0,
      };`;
      expect(await resultOf(script)).toStrictEqual({
        nan: null,
        infinite: null,
        list: [null, null, null],
        invalid: null,
        map: {},
        instance: { a: 1 },
        bytes: { type: 'Buffer', data: [97] },
        nested: 'own',
        zero: 0,
      });
    });

    it('with any JSON stays the same', async () => {
      const values = fc.jsonValue({
        depthSize: 'medium',
        noUnicodeString: false,
      });
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const same = JSON.parse(JSON.stringify(value)) as unknown;
          expect(await resultOf('', { value })).toEqual({ value: same });
        }),
        { numRuns: 50 },
      );
    });

    it.each(['\u2028 \u2029 \u0000 \\ " \ud83d\ude00', '\ud800 alone', 'é'.repeat(1_000)])(
      'keeps the text %j',
      async (text) => {
        expect(await resultOf('payload.length = payload.text.length', { text })).toEqual({
          text,
          length: text.length,
        });
      },
    );

    it('of 5 MB is accepted', async () => {
      const text = 'a'.repeat(5_000_000);
      expect(await resultOf('payload.length = payload.text.length', { text })).toEqual({
        text,
        length: text.length,
      });
    });

    it('of 5 MB with many small values is accepted', async () => {
      const rows = Array.from({ length: 75_000 }, (_, i) => ({
        name: `sensor-${i % 97}`,
        value: i,
        unit: 'bar',
        ok: true,
      }));
      const result = (await resultOf('payload.count = payload.rows.length', { rows })) as { count: number };
      expect(result.count).toBe(rows.length);
    });

    it('of more than 5 MiB is rejected before and after the script', async () => {
      const large = 'a'.repeat(5 * 1024 * 1024);
      expect((await run('return 1', { large })).error?.name).toBe('PayloadTooLarge');
      expect((await run("return 'a'.repeat(5 * 1024 * 1024)")).error?.name).toBe('PayloadTooLarge');
      expect((await run("return 'é'.repeat(3 * 1024 * 1024)")).error?.name).toBe('PayloadTooLarge');
    });
  });

  describe('language', () => {
    it.each([
      ['optional chaining and logical assignment', 'payload.a ??= payload?.b?.[0] ?? 7; return payload.a', 7],
      ['destructuring', 'const { a: [b = 2, ...c] = [] } = payload; return [b, c]', [2, []]],
      [
        'classes with private fields',
        'class A { #a = 1; static b = 2; get a() { return this.#a + A.b; } } return new A().a',
        3,
      ],
      ['generators', 'function* g() { yield 1; yield* [2, 3]; } return [...g()]', [1, 2, 3]],
      [
        'new list methods',
        'return [[3, 1, 2].toSorted(), [1, 2].at(-1), [1, 2, 3].findLast((x) => x < 3)]',
        [[1, 2, 3], 2, 2],
      ],
      [
        'groups',
        'return Object.groupBy([1, 2, 3], (x) => (x % 2 ? "odd" : "even"))',
        { odd: [1, 3], even: [2] },
      ],
      ['named groups', "return '2026-01'.match(/(?<y>\\d+)-(?<m>\\d+)/u).groups.y", '2026'],
      ['big integers', 'return String(2n ** 64n)', '18446744073709551616'],
      ['variables without declaration', 'a = 5; return a', 5],
      ['a comment at the end', 'return 1 // one', 1],
      ['the same name for a variable', 'var payload = payload || 1; return payload', {}],
      ['UTC as the local time zone', 'return new Date(0).getHours()', 0],
    ])('has %s', async (_, script, result) => {
      expect(await resultOf(script)).toEqual(result);
    });

    it.each([
      ["Buffer.from('héllo').toString('base64')", 'aMOpbGxv'],
      ["Buffer.from('aMOpbGxv', 'base64').toString()", 'héllo'],
      ["Buffer.from('ff00', 'hex').toString('latin1')", 'ÿ\u0000'],
      ["Buffer.from([1, 2, 255]).toString('hex')", '0102ff'],
      ["Buffer.concat([Buffer.from('a'), Buffer.alloc(2, 'b')]).toString()", 'abb'],
      ["Buffer.byteLength('é')", 2],
      ["Buffer.from('abcdef').slice(1, 3).toString('ascii')", 'bc'],
      ['Buffer.from([1, 2, 3, 4]).readUInt16BE(1)', 515],
      ['Buffer.from([255, 255]).readInt16LE(0)', -1],
      ['Buffer.from([0x40, 0x49, 0x0f, 0xdb]).readFloatBE(0).toFixed(4)', '3.1416'],
      [
        "(() => { const b = Buffer.alloc(4); b.writeUInt32LE(258); return b.toString('hex'); })()",
        '02010000',
      ],
    ])('has Buffer: %s', async (expression, result) => {
      expect(await resultOf(`return ${expression}`)).toEqual(result);
    });

    it.each(['require', 'process', 'setTimeout', 'fetch', 'module', 'host', 'std', 'os', 'WebAssembly'])(
      'has no %s',
      async (name) => {
        expect(await resultOf(`return typeof ${name}`)).toBe('undefined');
      },
    );

    it('returns different random numbers in each call', async () => {
      const script = 'return [Math.random(), Math.random()]';
      const numbers = [await resultOf(script), await resultOf(script)].flat() as number[];
      expect(new Set(numbers).size).toBe(4);
      expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    });

    it('has the current time', async () => {
      const before = Date.now();
      const now = (await resultOf('return Date.now()')) as number;
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThanOrEqual(Date.now());
    });
  });

  describe('console', () => {
    it('has a level for each method', async () => {
      const script =
        "for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn']) console[method](method, 1, { a: [2] })";
      const { messages } = await run(script);
      expect(messages.map(({ level, text }) => `${level}: ${text}`)).toEqual([
        'verbose: debug 1 {"a":[2]}',
        'error: error 1 {"a":[2]}',
        'info: info 1 {"a":[2]}',
        'verbose: log 1 {"a":[2]}',
        'verbose: trace 1 {"a":[2]}',
        'warn: warn 1 {"a":[2]}',
      ]);
    });

    it('shows values that JSON cannot contain', async () => {
      const script = `const cycle = {}; cycle.cycle = cycle;
        console.log(undefined, null, NaN, 1n, Symbol('s'), new TypeError('bad'), () => 1);
        console.log(cycle, new Proxy({}, { get() { throw 1; } }))`;
      expect((await run(script)).messages.map(({ text }) => text)).toEqual([
        'undefined null NaN 1 Symbol(s) TypeError: bad () => 1',
        '[unprintable] [unprintable]',
      ]);
    });

    it('shows messages of scripts that fail', async () => {
      const { messages, error } = await run("console.warn('before'); null.x");
      expect(messages).toEqual([{ level: 'warn', text: 'before' }]);
      expect(error?.name).toBe('FunctionNodeTypeError');
    });

    it('limits number and length of messages', async () => {
      const { messages } = await run("for (let i = 0; i < 1000; i++) console.log('a'.repeat(100_000))");
      expect(messages).toHaveLength(51);
      expect(messages[0]!.text).toHaveLength(4_096);
      expect(messages.at(-1)).toEqual({ level: 'warn', text: 'More console messages are not shown' });
    });
  });

  describe('errors', () => {
    it.each([
      ['payload.a.b = 1', 'FunctionNodeTypeError'],
      ['a.b', 'FunctionNodeReferenceError'],
      ['throw new RangeError("r")', 'FunctionNodeRangeError'],
      ['throw new (class MyError extends Error { name = "MyError" })("m")', 'FunctionNodeMyError'],
      ['throw Object.assign(new Error("m"), { name: "<b> bad" })', 'FunctionNodeError'],
      ['throw "text"', 'FunctionNodeError'],
      ['throw undefined', 'FunctionNodeError'],
      ['let = ;', 'FunctionNodeSyntaxError'],
      ['return 1n', 'FunctionNodeTypeError'],
      ['payload.self = payload', 'FunctionNodeTypeError'],
    ])('of %s have the name %s', async (script, name) => {
      expect((await run(script)).error?.name).toBe(name);
    });

    it('have the message of what was thrown', async () => {
      expect((await run('throw new Error("broken")')).error?.message).toBe('broken');
      expect((await run('throw "text"')).error?.message).toBe('text');
      expect((await run('throw { code: 7 }')).error?.message).toBe('{"code":7}');
    });

    it('have the lines of the script as stack', async () => {
      const { error } = await run('function read(row) {\n  return row.a.b;\n}\n[{}].map(read);');
      expect(error?.trace?.map((line) => line.replace(/\d+\)$/, '…)'))).toEqual([
        'at read (2:…)',
        'at (4:…)',
      ]);
    });

    it('have the line of a syntax error', async () => {
      expect((await run('let a = 1;\nlet b = );')).error?.trace?.[0]).toMatch(/^at \(2:\d+\)$/);
    });

    it('are thrown for scripts that return a promise', async () => {
      const { error } = await run('return (async () => 1)()');
      expect(error?.name).toBe('FunctionNodeTypeError');
      expect(error?.message).toContain('does not wait for promises');
    });

    it('are thrown for payloads that are nested too deeply', async () => {
      let payload: unknown = 1;
      for (let i = 0; i < 100_000; i++) payload = [payload];
      expect((await run('', payload)).error?.name).toBe('FunctionNodeRangeError');
    });
  });
});
