import fc from 'fast-check';
import { expressions, written } from '../../../test/suites/embedded/expressions.js';
import { parseExpression } from './parse-expression.js';
import { parsePath } from './paths.js';
import { SyntaxFault } from './syntax-fault.js';
import { parseJsonTemplate, parseNumberTemplate, parseTextTemplate } from './templates.js';

const refusal = (parse: (text: string) => unknown, text: string): string => {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxFault);
    return (error as SyntaxFault).message;
  }
  throw new Error('It was not refused');
};

/** Adds a name to each row: the beginning of its text. */
const named = (rows: [text: string, sentence: string][]) =>
  rows.map(([text, sentence]) => [text.slice(0, 40), text, sentence] as const);

describe('parsePath', () => {
  it.each([
    ['.', []],
    ['data', ['data']],
    [' data.level ', ['data', 'level']],
    ['data.rows.[0].[a name]', ['data', 'rows', '0', 'a name']],
    ['data.[it}} is "odd". Or ö?].x', ['data', 'it}} is "odd". Or ö?', 'x']],
    ['data.a-b:c$_ö', ['data', 'a-b:c$_ö']],
    ['data.__proto__.constructor', ['data', '__proto__', 'constructor']],
    ['data.a name', ['data', 'a name']],
  ])('parses %j', (text, names) => expect(parsePath(text)).toEqual(names));

  it.each([
    ['', 'is not a path into the payload: a name is missing (at character 1)'],
    ['data.', 'is not a path into the payload: a name is missing (at character 6)'],
    ['data..x', 'is not a path into the payload: a name is missing (at character 6)'],
    ['.data', 'is not a path into the payload: a name is missing (at character 1)'],
    ['data[0]', 'is not a path into the payload (at character 5)'],
    ['data.[0', 'has a bracket that is not closed (at character 6)'],
    ['data.[]', undefined],
    ['data.{{x}}', 'is not a path into the payload: a name is missing (at character 6)'],
    ['a.'.repeat(100) + 'b', 'has a path of more than 100 names (at character 201)'],
  ])('rejects %j', (text, sentence) => {
    if (sentence === undefined) expect(parsePath(text)).toEqual(['data', '']);
    else expect(refusal(parsePath, text)).toBe(sentence);
  });
});

describe('Templates', () => {
  it.each([
    ['', []],
    ['Pump', ['Pump']],
    [
      'Pump {{data.name}} is {{ data.[a b].c }}!',
      ['Pump ', ['data', 'name'], ' is ', ['data', 'a b', 'c'], '!'],
    ],
    ['{{{data.html}}}{{.}}', [['data', 'html'], []]],
    ['\\{{not one}} } {', ['{{not one}} } {']],
    ['C:\\\\{{data.x}}\\', ['C:\\', ['data', 'x'], '\\']],
  ])('of a text parse %j', (text, parts) => expect(parseTextTemplate(text)).toEqual(parts));

  it.each(
    named([
      [
        '{{format data.x "L"}}',
        'can contain references such as {{data.value}}, but no helpers (at character 1)',
      ],
      [
        'a {{jsonEncode data}}',
        'can contain references such as {{data.value}}, but no helpers (at character 3)',
      ],
      [
        '{{#if data.x}}y{{/if}}',
        'can contain references such as {{data.value}}, but no blocks (at character 1)',
      ],
      ['{{!-- remark --}}', 'can contain references such as {{data.value}}, but no blocks (at character 1)'],
      ['{{data.x', 'has a reference that is not closed with }} (at character 1)'],
      ['{{{data.x}}', 'has a reference that is not closed with }}} (at character 1)'],
      ['{{}}', 'is not a path into the payload: a name is missing (at character 3)'],
      ['{{@index}}', 'is not a path into the payload: a name is missing (at character 3)'],
      ['x'.repeat(32_768), 'must have at most 32767 characters (at character 32768)'],
      ['{{a}}'.repeat(251), 'can contain at most 250 references (at character 1251)'],
    ]),
  )('of a text reject %j', (_name, text, sentence) =>
    expect(refusal(parseTextTemplate, text)).toBe(sentence),
  );

  it.each([
    ['{ "a": "{{x}} {{y}}", "b": {{z}} }', [true, true, false]],
    ['"\\"{{x}}"', [true]],
    ['[{{x}}, "\\\\", {{y}}]', [false, false]],
    ['{"{{x}}": 1}', [true]],
    ['{{x}}', [false]],
  ])('of JSON parse %j and detect references inside strings', (text, quoted) =>
    expect(
      parseJsonTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : part.isQuoted)),
    ).toEqual(quoted),
  );

  it.each(['', 'nothing', '{ "a": {{x}}', '{ "a" {{x}} }', '"{{x}}'])('of JSON reject %j', (text) =>
    expect(refusal(parseJsonTemplate, text)).toContain('must be JSON once its references are replaced'),
  );

  it('of JSON can be nested as deep as devices support', () => {
    const nested = (open: string, depth: number, close: string) =>
      `${open.repeat(depth)}{{x}}${close.repeat(depth)}`;
    expect(() => parseJsonTemplate(nested('{"a":', 128, '}'))).not.toThrow();
    for (const text of [nested('{"a":', 129, '}'), nested('[', 16_000, ']')])
      expect(refusal(parseJsonTemplate, text)).toContain('is nested more than 128 levels deep');
  });

  it('of a number contain a number or references', () => {
    expect(parseNumberTemplate(' 1.5e3 ')).toEqual([' 1.5e3 ']);
    expect(parseNumberTemplate('{{data.x}}0')).toEqual([['data', 'x'], '0']);
    for (const text of ['', ' ', 'ten', 'Infinity'])
      expect(refusal(parseNumberTemplate, text)).toContain('must be a number, or a template for one');
  });
});

describe('parseExpression', () => {
  it.each([
    ['1 + 2 * 3 ^ 2', '(1 + (2 * (3 ^ 2)))'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['2 ^ 3 ** 2', '(2 ^ (3 ^ 2))'],
    ['-2 ^ 2', '(-(2 ^ 2))'],
    ['2 ^ -1', '(2 ^ (-1))'],
    ['{{a}} || {{b}} && {{c}}', '({{[a]}} || ({{[b]}} && {{[c]}}))'],
    ['1 < 2 === !false', '((1 < 2) === (!false))'],
    ['{{a}}?1:{{b}}?2:3', '({{[a]}} ? 1 : ({{[b]}} ? 2 : 3))'],
    ['max(1,{{a}})>=PI/.5', '(max(1, {{[a]}}) >= (3.141592653589793 / 0.5))'],
    ['\'it\\\'s {{a}}\' != "\\"\\n"', '("it\'s {{[a]}}" != "\\"\\n")'],
    ['((1))', '1'],
    ['{{ . }}=={{{[x y]}}}', '({{.}} == {{[x y]}})'],
  ])('groups %j as JavaScript does', (text, grouped) => expect(written(parseExpression(text))).toBe(grouped));

  it.each(
    named([
      ['', 'ends before an expected value (at character 1)'],
      ['1 +', 'ends before an expected value (at character 4)'],
      ['1 2', 'has an unexpected "2" (at character 3)'],
      ['(1', 'is missing a ) (at character 3)'],
      ['a > 1', 'has a, which is not a function or constant (at character 1)'],
      ['constructor(1)', 'has constructor, which is not a function or constant (at character 1)'],
      ['1 = 2', 'has an unexpected "=" (at character 3)'],
      ['1 & 2', 'has an unexpected "&" (at character 3)'],
      ["'x", 'has an unterminated string (at character 1)'],
      ['abs()', 'has an unexpected ")" (at character 5)'],
      ['abs(1, 2)', 'must pass 1 arguments to abs (at character 1)'],
      ['pow(1)', 'must pass 2 arguments to pow (at character 1)'],
      ['1 ? 2', 'is missing a : (at character 6)'],
      ['1e999', 'has a number that is too large (at character 1)'],
      ['{{lower a}} === 1', 'can contain references such as {{data.value}}, but no helpers (at character 1)'],
      ['('.repeat(300), 'has more than 200 nested operations (at character 202)'],
      ['1' + '+1'.repeat(300), 'has more than 200 nested operations (at character 403)'],
      ['!'.repeat(300), 'has more than 200 nested operations (at character 202)'],
      ["1 === 'x{{#y}}'", 'can contain references such as {{data.value}}, but no blocks (at character 9)'],
    ]),
  )('rejects %j', (_name, text, sentence) => expect(refusal(parseExpression, text)).toBe(sentence));

  it('parses serialized expressions to the same expression', () => {
    fc.assert(
      fc.property(expressions, (expression) =>
        expect(parseExpression(written(expression))).toEqual(expression),
      ),
    );
  });

  it('terminates for any text, with a result or a SyntaxFault', () => {
    const signs = fc.constantFrom(
      '{{',
      '}}',
      'a',
      '.',
      '[',
      ']',
      '"',
      "'",
      '\\',
      '(',
      ')',
      '1',
      '!',
      '=',
      '^',
      '?',
    );
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 100 }), (text) => {
        for (const parse of [parseExpression, parseTextTemplate, parseJsonTemplate, parsePath]) {
          try {
            parse(text);
          } catch (error) {
            expect(error).toBeInstanceOf(SyntaxFault);
          }
        }
      }),
    );
  });
});
