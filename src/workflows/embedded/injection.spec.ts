import fc from 'fast-check';
import { bundleOf, TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import { Host } from '../../../test/suites/embedded/host.js';
import type { Bundle } from './bundle.js';
import { Code, code } from './code.js';
import { compile } from './compile.js';
import { sourceOf } from './source.js';

const HOSTILE = [
  '"',
  "'",
  '`',
  '\\',
  '\\"); unreachable(); ("',
  '\n',
  '\r\nexport function eea_init(): i32 { return 1; }\r\n',
  '\u2028unreachable();\u2029',
  '\0',
  '*/ unreachable(); /*',
  '// unreachable();',
  '${unreachable()}',
  '`${unreachable()}`',
  '\\u0022\\x22\\u{22}',
  '\u202e); unreachable(',
  "'; import { x } from './env'; '",
  '@external("env", "own") declare function own(): void;',
  ']); memory.grow(1000); memory.data<u8>([0',
  '</script>',
  '__proto__',
  'constructor',
  '😀',
];

/** Creates a bundle in which all caller-provided names and template texts are replaced with these. */
function bundleWith(name: string, text: string): Bundle {
  const quoted = JSON.stringify(text.replaceAll(/[\]'"\\]/g, '_'));
  const path = `working.[${name.replaceAll(']', ')')}]`;
  const nodes = [
    { type: 'DebugNode', config: { message: text, property: path } },
    {
      type: 'MqttMessageNode',
      config: { topicTemplate: `t${text.replaceAll(/[+#]/g, '')}`, messageTemplate: text },
    },
    {
      type: 'StoreValueNode',
      config: { keyName: text, valueType: 'json', value: JSON.stringify({ [name]: name }) },
    },
    { type: 'GetValueNode', config: { keyName: text, valuePath: path } },
    { type: 'SwitchNode', config: { switchTemplate: text, cases: [{ caseTemplate: text }] } },
    { type: 'ConditionalNode', config: { expression: `{{${path}}} === ${quoted}` } },
    { type: 'LoopNode', config: { loopSourcePath: path, currentItemPath: path } },
    { type: 'DeviceChangeStateNode', config: { attrInfos: [{ key: name, valueTemplate: text }] } },
    { type: 'ThrowErrorNode', config: { messageTemplate: `x${text}` } },
  ].map((node, i) => ({ ...node, id: `${name}${i}`, meta: { label: name } }));
  const outputIds = [nodes.map(({ id }) => id)];
  const global = { key: name, json: JSON.stringify({ [name]: text }) };
  return {
    ...bundleOf({
      [name]: {
        triggers: ['virtualButton', 'mqttTopic', 'direct'].map((type) => ({
          type,
          key: name,
          meta: { uiId: name },
          outputIds,
        })),
        nodes,
        globals: [global],
      },
    }),
    globals: [global],
  };
}

/** Returns the source without the numbers and bytes of constants. */
function formOf(name: string, text: string): string[] {
  const { files } = sourceOf(bundleWith(name, text), TALKATIVE);
  return Object.values(files).map((source) => source.replaceAll(/[\d,\s]/g, ''));
}

describe('caller-provided text', () => {
  const plain = formOf('plain', 'text');

  it.each(HOSTILE)('never becomes code, such as %j', (text) => {
    expect(formOf(text, text.replaceAll(/[{}]/g, ''))).toEqual(plain);
  });

  it('never becomes code if it is random', () => {
    const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(any, any, (name, text) => {
        expect(formOf(name, text.replaceAll(/[{}]/g, ''))).toEqual(plain);
      }),
    );
  });

  it('is output by the module unchanged', async () => {
    const nodes = HOSTILE.map((text, i) => ({
      id: `node${i} ${text}`,
      type: 'DebugNode',
      config: { message: text, property: 'data' },
    }));
    const { module } = await compile(
      bundleOf(
        Object.fromEntries(
          nodes.map((node, i) => [
            HOSTILE[i]!,
            {
              triggers: [
                { type: 'direct', key: HOSTILE[i]!, meta: { uiId: HOSTILE[i] }, outputIds: [[node.id]] },
              ],
              nodes: [node],
              globals: [{ key: HOSTILE[i]!, json: JSON.stringify(HOSTILE[i]) }],
            },
          ]),
        ),
      ),
      TALKATIVE,
    );
    const host = Host.started(module);
    for (const text of HOSTILE) {
      host.sent.length = 0;
      expect(host.direct(text, JSON.stringify(text))).toBe(0);
      expect(host.loop()).toBe(0);
      const [told] = host.debugged;
      expect(told).toMatchObject({ message: text, payload: text, triggerUiIds: [text] });
      expect(told.sourceNode).toBe(nodes[HOSTILE.indexOf(text)]!.id);
    }
  }, 120_000);
});

describe('code', () => {
  it('can contain only code, integers and lists of code', () => {
    expect(code`f(${Code.list([1, code`g()`])})`.source).toBe('f(1, g())');
    expect(code`{${[code`a();`, code`b();`]}}`.source).toBe('{a();\nb();}');
    expect(() => code`${1.5}`).toThrow(TypeError);
    expect(() => code`${Infinity}`).toThrow(TypeError);
    // @ts-expect-error a text is no code
    expect(() => code`${'unreachable()'}`).toThrow(TypeError);
  });

  it('can contain identifiers of letters, digits and underscores', () => {
    expect(Code.identifier('read_Pin_2').source).toBe('read_Pin_2');
    for (const name of ['', 'a b', 'a;', 'a"', 'é', 'a'.repeat(65), ...HOSTILE.slice(0, -3)])
      expect(() => Code.identifier(name)).toThrow(TypeError);
  });
});
