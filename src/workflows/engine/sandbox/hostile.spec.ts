import { ENGINES, scriptRunner } from '../../../../test/doubles/script-engines.js';

/** Stands for the end of a script without an error. Engines differ in how fast they are. */
const NONE = 'none';

/** Scripts that must end with an error of one of these names. */
const EXHAUSTING: readonly (readonly [script: string, names: readonly string[]])[] = [
  ['for (;;);', ['Timeout']],
  ['while (true) try { for (;;); } catch {}', ['Timeout']],
  ['try { for (;;); } finally { for (;;); }', ['Timeout']],
  ['return (function f() { return f(); })()', ['Range']],
  ['const f = () => { try { f(); } finally { f(); } }; f()', ['Timeout', 'Range']],
  ['const a = []; for (;;) a.push(new Array(1e4).fill({}))', ['Memory', 'Timeout']],
  ["let s = 'x'; for (;;) s += s + s.slice(1)", ['Memory', 'Range', 'Timeout']],
  ["return 'x'.repeat(2 ** 30)", ['Memory', 'Range']],
  ["return 'x'.padEnd(2 ** 30)", ['Memory', 'Range']],
  ['const a = []; for (;;) a.push(new Uint8Array(1 << 24).fill(1))', ['Memory', 'Timeout']],
  ['const m = new Map(); for (let i = 0; ; i++) m.set(i, `${i}`)', ['Memory', 'Timeout']],
  ["return /^(a+)+$/.test('a'.repeat(40) + 'b')", ['Timeout']],
  ["return 'x'.repeat(60000).replace(/(x+x+)+y/, '')", ['Timeout', 'Memory', 'Range', 'Internal']],
  [
    'const a = Array.from({ length: 2e5 }, (_, i) => i ^ 0x5555); a.sort(() => { for (let i = 0; i < 1e9; i++); return 0; })',
    ['Timeout'],
  ],
  ['[].reverse.call({ length: 2 ** 53 - 1 })', ['Timeout']],
  ['return new Array(2 ** 32 - 1).join("")', ['Timeout', 'Memory', NONE]],
  ['[].copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)', ['Timeout']],
  // A type error if the power ends in time: JSON has no form for a bigint.
  ['return 3n ** 30000000n', ['Timeout', 'Memory', 'Range', 'Type']],
  [
    'payload.a = []; let a = payload.a; for (let i = 0; i < 1e6; i++) a = a[0] = []',
    ['Memory', 'Range', 'Timeout', 'Internal'],
  ],
  ['return { toJSON() { for (;;); } }', ['Timeout']],
  ['return { get a() { for (;;); } }', ['Timeout']],
  ['return { get a() { return { get a() { throw new TypeError("deep"); } }; } }', ['Type']],
  ['return new Proxy({}, { ownKeys() { for (;;); } })', ['Timeout']],
  [
    'return new Proxy([], { get: (t, k) => (k === "length" ? 2 ** 32 : null) })',
    ['Timeout', 'Memory', 'Range'],
  ],
  ['const a = []; a.length = 2 ** 32 - 1; return a', ['Timeout', 'Memory', 'Range']],
  ['eval("(".repeat(1e6))', ['Range', 'Syntax', 'Memory', 'Internal']],
  ['eval("1+".repeat(2e6) + "1")', ['Memory', 'Timeout', 'Range', NONE]],
  ['}); for (;;); (function (payload) {', ['Timeout']],
  [
    '(function f() { Promise.resolve().then(f); })(); return (async () => { for (;;) await null; })()',
    ['Type', 'Timeout'],
  ],
  ['throw { get name() { for (;;); }, toString() { for (;;); } }', ['Timeout', '']],
  [
    'const e = new Error(); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e',
    ['Timeout'],
  ],
  ["throw new Error('x'.repeat(1e7))", ['']],
  ['throw Object.assign(new Error("m"), { stack: "at f (script:1:1)\\n".repeat(1e5) })', ['']],
  ['console.log({ toJSON() { for (;;); } })', ['Timeout']],
  ['for (;;) console.log(1)', ['Timeout']],
  ['for (;;) Math.random()', ['Timeout']],
  ["return (function () {}).constructor('return process')()", ['Reference']],
  ["return payload.constructor.constructor('return this.process.env')()", ['Type']],
  ["return Buffer.constructor.constructor('return process')()", ['Reference']],
  ["return console.log.constructor('return require')()('fs')", ['Reference']],
  ["return import('fs')", ['Type', 'Reference', 'Syntax', '']],
];

const NO_ERROR = { name: NONE, message: '', trace: [] };

/** Scripts that try to change what a later call does. */
const POISONING: readonly string[] = [
  'JSON.stringify = () => "{}"; JSON.parse = () => 1',
  'Object.prototype.toJSON = () => 1',
  'Array.prototype.toJSON = String.prototype.toJSON = () => 1; null.x',
  'globalThis.leak = payload; var leaked = 1; left = 2',
  'Date.prototype.toJSON = () => 1; Date.prototype.getTime = () => 0; Date = null',
  'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis)',
  'Object.freeze(Date.prototype)',
  'Object.defineProperty(Object.prototype, "data", { set() { throw 1; } })',
  'Object.prototype.polluted = 1; Array.prototype[0] = 1',
  'Function.prototype.call = Function.prototype.bind = Function.prototype.apply = null',
  'String.prototype.slice = () => { for (;;); }; throw new Error("x")',
  'Promise = function () {}; Object[Symbol.hasInstance] = 1',
  'Object.defineProperty(Promise, Symbol.hasInstance, { value: () => true }); return 1',
  'Object.defineProperty(Error, Symbol.hasInstance, { value: () => true }); throw {}',
  'console.log = () => { throw 1; }; Math.random = () => 1; Buffer = null',
  'globalThis.__proto__ = null; delete globalThis.Object',
  'Object.setPrototypeOf(Array.prototype, new Proxy({}, { get() { throw 1; } }))',
  'Error.prepareStackTrace = () => { throw 1; }; Error.stackTraceLimit = -1; null.x',
  'arguments.callee.leak = 1; arguments.callee.toString = null; arguments.callee.call = null',
  'new Uint8Array(1.5e6).fill(7); const s = "secret".repeat(1e5)',
];

const CHECK = `
  const zeros = new Uint8Array(1.5e6);
  for (let i = 0; i < zeros.length; i += 100) if (zeros[i] !== 0) throw new Error('memory of an earlier call');
  if (arguments.callee.leak) throw new Error('property of the function');
  payload.globals = ['leak', 'leaked', 'left', 'n', 'polluted'].filter((name) => name in globalThis);
  payload.polluted = [...Object.keys(Object.prototype), ...Object.keys(Array.prototype)];
  payload.frozen = Object.isFrozen(Object.prototype);
  payload.bytes = Buffer.from([payload.data.a]).toString('hex');
  payload.later = new Date(payload.time.getTime() + 1);
  payload.json = JSON.stringify(JSON.parse('[{"b":2}]'));
  console.log('checked');`;

describe.each(ENGINES)('Hostile scripts in $name', ({ create }) => {
  const run = scriptRunner(() => create(1_000));

  const expectNormal = async (): Promise<void> => {
    const time = new Date(1_000);
    expect(await run(CHECK, { time, data: { a: 1 } })).toEqual({
      payload: {
        time,
        data: { a: 1 },
        globals: [],
        polluted: [],
        frozen: false,
        bytes: '01',
        later: new Date(1_001),
        json: '[{"b":2}]',
      },
      messages: [{ level: 'verbose', text: 'checked' }],
    });
  };

  it.each(EXHAUSTING)('end and do not affect later calls: %s', async (script, names) => {
    const { error = NO_ERROR } = await run(script);
    expect(names.map((name) => (name === NONE ? NONE : `FunctionNode${name}Error`))).toContain(error.name);
    expect(error.message.length).toBeLessThanOrEqual(4_096);
    expect(error.trace!.length).toBeLessThanOrEqual(20);
    await expectNormal();
  });

  it.each(POISONING)('cannot change what a later call does: %s', async (script) => {
    await run(script, { time: new Date() });
    await expectNormal();
  });

  it('cannot leave state for the next call of the same script', async () => {
    const script = 'globalThis.n = (globalThis.n ?? 0) + 1; return n';
    expect([await run(script), await run(script)].map(({ payload }) => payload)).toEqual([1, 1]);
  });

  it('cannot leave code behind by ending the function early', async () => {
    const script = '}); globalThis.leak = Object.prototype.leak = 1; (function (payload) {';
    expect((await run(script)).error?.name).toBe('FunctionNodeSyntaxError');
    await expectNormal();
  });

  it('may use large payloads again and again', async () => {
    const rows = Array.from({ length: 15_000 }, (_, i) => ({
      name: `sensor-${i % 97}`,
      value: i,
      unit: 'bar',
    }));
    for (let i = 0; i < 20; i++) {
      const { payload } = await run('return payload.rows.map((row) => ({ ...row, again: row })).length', {
        rows,
      });
      expect(payload).toBe(rows.length);
    }
    await expectNormal();
  });

  it('do not stop scripts of other applications', async () => {
    const slow = Array.from({ length: 3 }, () => run('for (;;);', {}, { applicationId: 'slow' }));
    const others = Array.from({ length: 5 }, (_, i) => run('return 1', {}, { applicationId: `other-${i}` }));
    expect((await Promise.all(others)).map(({ payload }) => payload)).toEqual([1, 1, 1, 1, 1]);
    for (const { error } of await Promise.all(slow)) expect(error?.name).toBe('FunctionNodeTimeoutError');
  });

  it('of more versions than are kept do not displace each other for ever', async () => {
    for (let i = 0; i < 70; i++) expect((await run(`return ${i}`, {}, { key: `flow/${i}` })).payload).toBe(i);
    expect((await run('return 0', {}, { key: 'flow/0' })).payload).toBe(0);
  });

  it('of one version can be many', async () => {
    for (let i = 0; i < 120; i++) expect((await run(`return ${i}`)).payload).toBe(i);
    await expectNormal();
  });
});
