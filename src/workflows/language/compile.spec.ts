import { RunFault } from '../engine/run-error.js';
import { CASES, PAYLOAD as SHARED } from './evaluate.cases.js';
import {
  compileExpression,
  compileJson,
  compileNumber,
  compilePath,
  compileTemplate,
  compileValue,
} from './compile.js';
import { SyntaxFault } from './syntax-fault.js';

const TIME = new Date('2024-01-15T00:00:00Z');
const PAYLOAD = {
  data: {
    n: 42,
    f: 0,
    b: true,
    s: 'Hello',
    tag: '7',
    quoted: 'a "b" <c>',
    json: '{"a":1}',
    list: [1, 'a', {}],
  },
  time: TIME,
  later: new Date(TIME.getTime() + 1),
  same: new Date(TIME),
};

describe('compileTemplate', () => {
  it.each([
    ['{"n":{{add data.n 1}}}', '{"n":43}'],
    ['{"a":{"n":{{{jsonEncode data.n}}}}} {{add data.n 1}}}', '{"a":{"n":42}} 43}'],
    ['{{#if data.n}}}{{else}}-{{/if}}}', '}}'],
    ['{{data.n}} {{{data.quoted}}} {{data.quoted}}', '42 a "b" <c> a &quot;b&quot; &lt;c&gt;'],
    ['{{data.list}} {{data.list.[1]}} {{data.list.1}} {{data.list.length}}', '1,a,[object Object] a a 3'],
    ['{{#each data.list}}{{@index}}:{{this}};{{/each}}', '0:1;1:a;2:[object Object];'],
    ['{{last}}{{length}}{{format}}', ''],
    ['{{{{data.n}}', undefined],
  ])('renders %j', (template, text) => {
    if (text === undefined) expect(() => compileTemplate(template)).toThrow(SyntaxFault);
    else expect(compileTemplate(template)(PAYLOAD)).toBe(text);
  });

  it('takes names of helpers alone as references', () => {
    expect(
      compileTemplate('{{max}}{{#each last}}{{length}}{{/each}}')({ max: 1, last: [{ length: 2 }] }),
    ).toBe('12');
  });

  it.each([
    ['a\n{{#if x}}', 'ends before a block, reference or helper is closed (at character 12)'],
    ['a\n {{x y}}', 'has x, which is not a helper (at character 4)'],
    ['{{fill x=1}}', 'has fill, which is not a helper (at character 1)'],
    ['{{#if a}}x{{/of}}', "is not a valid template: if doesn't match of (at character 4)"],
    ['{{{x}}', 'has an unexpected "}}" (at character 5)'],
    ['{{#if a b}}{{/if}}', 'must pass one argument to if (at character 1)'],
    ['x{{> part}}', 'cannot contain partials (at character 2)'],
    ['{{#> part}}{{/part}}', 'cannot contain partials (at character 1)'],
    ['{{#*inline "x"}}{{/inline}}', 'cannot contain decorators (at character 1)'],
    ['{{add 1 2}}}{{add 1 2}}} {{unknown 1}}', 'has unknown, which is not a helper (at character 26)'],
    ['{{{{raw}}}} {{{{/raw}}}}', 'cannot contain raw blocks (at character 1)'],
    ['{{(lookup a b).c}}', 'cannot contain paths that begin with a subexpression (at character 3)'],
    ['x'.repeat(65_537), 'must have at most 65536 characters (at character 65537)'],
  ])('refuses %j with a position', (template, message) => {
    expect(() => compileTemplate(template)).toThrow(SyntaxFault);
    expect(() => compileTemplate(template)).toThrow(message);
  });
});

describe('compileValue', () => {
  it.each([
    ['{{data.list}}', PAYLOAD.data.list],
    ['{{{data.n}}}', 42],
    ['{{@root.data.n}}', 42],
    ['{{this.data.b}}', true],
    ['{{missing}}', undefined],
    ['{{time}}', TIME],
    [' {{data.n}}', ' 42'],
    ['{{add data.n 1}}', '43'],
    ['{{data.n}}{{data.n}}', '4242'],
    ['text', 'text'],
    ['', ''],
  ])('yields the value of %j', (template, value) => {
    expect(compileValue(template)(PAYLOAD)).toBe(value);
  });
});

describe('compileJson', () => {
  it.each([
    ['{{data.list}}', PAYLOAD.data.list],
    ['{{data.tag}}', 7],
    ['{{{data.json}}}', { a: 1 }],
    ['{"a": "{{data.quoted}}", "n": {{data.n}}}', { a: 'a &quot;b&quot; &lt;c&gt;', n: 42 }],
    ['{"a": {{jsonEncode data.quoted}} }', { a: 'a "b" <c>' }],
    ['[{{#each data.list}}{{#unless @first}},{{/unless}}{{jsonEncode this}}{{/each}}]', PAYLOAD.data.list],
  ])('yields %j', (template, value) => {
    expect(compileJson(template)(PAYLOAD)).toEqual(value);
  });

  it.each(['{{data.s}}', '{{missing}}', '{{data.json}}', '', '[1,]'])('throws for %j', (template) => {
    const render = compileJson(template);
    expect(() => render(PAYLOAD)).toThrow(SyntaxError);
  });
});

it.each([
  [7, 7],
  ['{{data.tag}}0', 70],
  ['{{multiply data.n 2}}', 84],
  [' ', NaN],
  ['{{missing}}', NaN],
  ['x', NaN],
])('compileNumber(%j) yields %d', (setting, number) => {
  expect(compileNumber(setting)(PAYLOAD)).toBe(number);
});

it('compilePath reads a path, and nothing for an empty one', () => {
  expect(compilePath('data.list.[1]')(PAYLOAD)).toBe('a');
  expect(compilePath('.')(PAYLOAD)).toBe(PAYLOAD);
  expect(compilePath(' ')(PAYLOAD)).toBeUndefined();
});

describe('compileExpression', () => {
  it.each(CASES)('%s is what it is for devices', (expression, value) => {
    expect(compileExpression(expression)(SHARED)).toBe(value);
  });

  it.each([
    ['{{data.n}} === "hello"', false],
    ['{{data.f}} == false', true],
    ['{{data.f}} === false', false],
    ['!!{{data.u}}', false],
    ['pow({{data.n}}, {{data.f}}) === 1', true],
    ['{{data.n}} > {{data.s}}', false],
    ["{{lower data.s}} === 'hello'", true],
    ['{{jsonEncode data.s}} === \'"Hello"\'', true],
    ["{{lookup data '}}'}} === undefined", true],
    ['{{add data.n (multiply 2 data.n)}} + 1', 127],
    ['(0 + {{data.tag}}) > 6', true],
    ['{{data.missing}} === undefined', true],
    ['length({{data.missing}})', undefined],
    ['length({{data.list}}) === {{length data.list}}', true],
    ['{{data.quoted}} === \'a "b" <c>\'', true],
    ["'{{data.quoted}}' === {{data.quoted}}", true],
    ["'{{upper data.s}}!'", 'HELLO!'],
    ['{{later}} > {{time}}', true],
    ['{{time}} == {{same}} && {{time}} === {{same}} && !({{time}} !== {{same}})', true],
    ['{{time}} === {{later}}', false],
    ['{{later}} - {{time}}', 1],
    ['{{time}}', TIME],
    ['{{data.list}}', PAYLOAD.data.list],
    ['1 << 3 >> 1', 4],
    ['1 << 2 < 5', true],
    ['1 + 1 << 1', 4],
    ["typeof {{data.n}} === 'number' && typeof {{data.u}} == 'undefined'", true],
    ['includes({{data.list}}, "a")', true],
    ['includes({{data.s}}, "ell") && !includes({{data.u}}, 1)', true],
    ['', false],
    [' ', false],
  ])('%s is %j', (expression, value) => {
    expect(compileExpression(expression)(PAYLOAD)).toBe(value);
  });

  it.each([
    ['{{#if a}}1{{/if}}', 'can contain references and helpers, but no blocks (at character 1)'],
    ['1 + {{unknown a}}', 'has unknown, which is not a helper (at character 5)'],
    ['{{a', 'has a reference that is not closed with }} (at character 1)'],
    ['1 + ', 'ends before an expected value (at character 5)'],
    ['includes(1)', 'must pass 2 arguments to includes (at character 1)'],
    ['constructor(1)', 'has constructor, which is not a function or constant (at character 1)'],
  ])('refuses %s', (expression, message) => {
    expect(() => compileExpression(expression)).toThrow(message);
  });

  it('fails for helpers that fail', () => {
    expect(() => compileExpression('{{jsonDecode data.s}}')(PAYLOAD)).toThrow(RunFault);
  });
});
