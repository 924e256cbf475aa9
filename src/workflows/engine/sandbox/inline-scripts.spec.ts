import { InlineScripts } from './inline-scripts.js';
import { quickJsModule } from './quickjs-module.js';
import { SETTINGS } from './script-hosts.js';
import { instanceTemplate, ScriptInstance, type InstanceTemplate } from './script-instance.js';

let template: InstanceTemplate;
beforeAll(async () => {
  template = await instanceTemplate(quickJsModule(), SETTINGS);
});

/** Scripts that run at once after two calls, and how many instances were made for them. */
function scripts(create = () => ScriptInstance.create(quickJsModule(), template)) {
  const made: Promise<ScriptInstance>[] = [];
  const inline = new InlineScripts(() => {
    const instance = create();
    made.push(instance);
    return instance;
  }, 2);
  return {
    made,
    run: (script: string, { key = 'a/1', text = '[{}]' } = {}) =>
      inline.run(key, () => ({ key, script, text })),
    /** Calls a version until it has an instance. */
    async warm(key = 'a/1'): Promise<void> {
      const before = made.length;
      const call = (): never => {
        throw new Error('No instance must be there yet');
      };
      for (let i = 0; i < 3; i++) expect(inline.run(key, call)).toBeUndefined();
      expect(made).toHaveLength(before + 1);
      await made.at(-1)!.catch(() => undefined);
    },
  };
}

describe('Scripts in the calling thread', () => {
  it('run there after some calls', async () => {
    const { run, warm, made } = scripts();
    await warm();
    expect(run('payload.a = 1')).toEqual({ json: '{"a":1}', messages: [] });
    expect(run('payload.b = 2; console.log("b")')).toEqual({
      json: '{"b":2}',
      messages: [{ level: 'verbose', text: 'b' }],
    });
    expect(run('null.x')).toMatchObject({ error: { name: 'TypeError' } });
    expect(run('(')).toMatchObject({ error: { name: 'SyntaxError' } });
    expect(run('payload.c = 3')).toEqual({ json: '{"c":3}', messages: [] });
    expect(made).toHaveLength(1);
  });

  it.each([
    ['loops', 'for (;;);'],
    ['loops in a built-in function', '[].reverse.call({ length: 2 ** 53 - 1 })'],
    ['backtracks', "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
    ['needs much memory', 'new Uint8Array(2 ** 24).fill(1)'],
    ['exhausts the memory', 'const a = []; for (;;) a.push(new Uint8Array(2 ** 24).fill(1))'],
    ['is parsed for long', `[${'{}, '.repeat(300_000)}]`],
  ])('are given up with their version if one %s', async (_, script) => {
    const { run, warm, made } = scripts();
    await warm();
    await warm('b/1');
    expect(run(script)).toBeUndefined();
    for (let i = 0; i < 10; i++) expect(run('payload')).toBeUndefined();
    expect(run('return 1', { key: 'b/1' })).toEqual({ json: '1', messages: [] });
    expect(made).toHaveLength(2);
  });

  it('are given up with their version if a payload is large', async () => {
    const { run, warm } = scripts();
    await warm();
    expect(run('return 1', { text: JSON.stringify(['x'.repeat(16 * 1024)]) })).toBeUndefined();
    expect(run('return 1')).toBeUndefined();
  });

  it('are worth an instance again only after as many calls, if other versions took the room', async () => {
    const { run, warm, made } = scripts();
    for (let i = 0; i < 65; i++) await warm(`a/${i}`);
    expect(run('return 1', { key: 'a/64' })).toBeDefined();
    await warm('a/0');
    expect(run('return 1', { key: 'a/0' })).toBeDefined();
    expect(made).toHaveLength(66);
  });

  it('are left to threads if no instance can be made', async () => {
    const { run, warm } = scripts(() => Promise.reject(new RangeError('no memory')));
    await warm();
    expect(run('return 1')).toBeUndefined();
  });
});
