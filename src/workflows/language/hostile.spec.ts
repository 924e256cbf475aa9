import { RunFault } from '../engine/run-error.js';
import { compileExpression, compileJson, compileTemplate, compileValue } from './compile.js';
import { SyntaxFault } from './syntax-fault.js';

/** Names that would lead from a value to code. */
const NAMES = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'valueOf',
  '__defineGetter__',
  'hasOwnProperty',
];
const PAYLOAD = { data: { text: 'x', list: [1], object: {} as object, time: new Date(0) }, names: NAMES };

describe('No prototype is reached', () => {
  const routes = NAMES.flatMap((name) =>
    ['', 'data.', 'data.text.', 'data.list.', 'data.time.', '@root.', 'this.', './'].flatMap((from) => [
      `{{{${from}${name}}}}`,
      `{{{${from}[${name}]}}}`,
      `{{{${from}${name}.${name}}}}`,
    ]),
  );
  const others = NAMES.flatMap((name) => [
    `{{lookup this "${name}"}}`,
    `{{lookup data.list "${name}"}}`,
    `{{lookup (lookup data "${name}") "${name}"}}`,
    `{{#with (lookup this "${name}")}}{{#with (lookup this "${name}")}}{{this}}{{/with}}x{{/with}}`,
    `{{#with (lookup data.object "${name}") as |f|}}{{f}}x{{/with}}`,
    `{{#each names}}{{lookup @root.data this}}{{lookup "" this}}{{lookup @index this}}{{/each}}`,
    `{{#${name}}}x{{/${name}}}`,
    `{{#data.${name}}}x{{/data.${name}}}`,
    `{{@${name}}}{{@root.${name}}}{{@../${name}}}`,
    `{{valueByKey data.list 1 "${name}" "${name}"}}`,
    `{{#with (obj ${name}=1)}}{{/with}}`,
    `{{defaultTo (lookup (merge data) "${name}") ""}}`,
    `{{template "{{{${name}}}}{{lookup this '${name}'}}"}}`,
    `{{defaultTo (evalExpression "{{data.${name}}}") ""}}`,
    `{{lookup (jsonDecode "{}") "${name}"}}`,
    `{{#each data.list as |${name}|}}{{/each}}{{${name}}}`,
  ]);

  it.each([...routes, ...others])('by %s', (template) => {
    expect(compileTemplate(template)(PAYLOAD)).toBe('');
  });

  it.each(NAMES)('by %s in an expression or value', (name) => {
    expect(compileExpression(`{{${name}}}`)(PAYLOAD)).toBeUndefined();
    expect(compileExpression(`{{lookup data "${name}"}}`)(PAYLOAD)).toBeUndefined();
    expect(compileValue(`{{data.${name}}}`)(PAYLOAD)).toBeUndefined();
    expect(() => compileExpression(`${name}(1)`)).toThrow(SyntaxFault);
  });

  it.each(NAMES)('by the helper %s', (name) => {
    expect(() => compileTemplate(`{{${name} 1}}`)).toThrow(SyntaxFault);
    expect(() => compileTemplate(`{{#${name} 1}}{{/${name}}}`)).toThrow(SyntaxFault);
    expect(() => compileTemplate(`{{add (${name}) 1}}`)).toThrow(SyntaxFault);
  });

  it('by a member that hides a method', () => {
    const payload = { a: { toString: 'x', valueOf: 1, toJSON: 'y', hasOwnProperty: 0 } };
    expect(compileTemplate('{{a}} {{eq a "x"}} {{{jsonEncode a}}}')(payload)).toBe(
      '[object Object] false {"toString":"x","valueOf":1,"toJSON":"y","hasOwnProperty":0}',
    );
  });
});

describe('Refused while they are parsed', () => {
  it.each([
    ['many blocks', '{{#if a}}'.repeat(3_000) + '{{/if}}'.repeat(3_000)],
    ['blocks that are not closed', '{{#a}}'.repeat(9_000)],
    ['inverted blocks', '{{~^a~}}'.repeat(3_000)],
    ['many branches', '{{#if a}}' + '{{else if a}}'.repeat(3_000) + '{{/if}}'],
    ['branches with spaces', '{{#if a}}' + `{{~${' '.repeat(50)}else if a}}`.repeat(900) + '{{/if}}'],
    ['many subexpressions', '{{a ' + '(a '.repeat(15_000)],
    ['subexpressions after a text', '{{a "}}" ' + '(a "}}" '.repeat(7_000) + ')'.repeat(7_000) + '}}'],
    ['blocks behind an escape', '\\{{ " ' + '{{#a}}'.repeat(9_000) + ' "}}'],
    ['blocks behind a comment', '{{!-- }} " --}}' + '{{#a}}'.repeat(9_000) + ' "}}'],
    ['blocks behind a raw block', '{{{{a}}}}{{x "{{{{/a}}}}' + '{{#a}}'.repeat(9_000) + ' "}}'],
    ['blocks behind a bracket', '{{a [" ]}}' + '{{#a}}'.repeat(9_000) + ' "}}'],
    ['comments that are not closed', '{{!'.repeat(20_000)],
    ['texts that are not closed', '{{"'.repeat(20_000)],
    ['escapes that are not closed', '{{"' + '\\"'.repeat(30_000)],
    ['a giant text', 'x'.repeat(10_000_000)],
  ])('%s', (_name, template) => {
    expect(() => compileTemplate(template)).toThrow(SyntaxFault);
  });

  it.each([
    ['many operators', '1' + '+1'.repeat(10_000)],
    ['many references', '{{a (' + '(b '.repeat(10_000)],
    ['a giant text', '"' + 'x'.repeat(1_000_000) + '"'],
  ])('%s in an expression', (_name, expression) => {
    expect(() => compileExpression(expression)).toThrow(SyntaxFault);
  });
});

describe('Ended while they are rendered', () => {
  const list = Array.from({ length: 2_000 }, (_, i) => i);
  const long = 'x'.repeat(500_000);
  const twice = (template: string, times: number): string =>
    times === 0 ? template : `{{#with (array this this)}}${twice(template, times - 1)}{{/with}}`;

  it.each([
    [
      'nested loops',
      '{{#each list}}{{#each @root.list}}{{#each @root.list}}{{/each}}{{/each}}{{/each}}',
      'steps',
    ],
    ['loops that print a list', '{{#each list}}{{eq @root.list "x"}}{{/each}}', 'steps'],
    ['loops that encode a list', '{{#each list}}{{#if (jsonEncode @root.list)}}{{/if}}{{/each}}', 'steps'],
    ['loops that search a list', '{{#each list}}{{includes @root.list "x"}}{{/each}}', 'steps'],
    ['loops over a long text', '{{#each list}}{{#if (upper @root.long)}}{{/if}}{{/each}}', 'steps'],
    ['loops over dates', '{{#each list}}{{#each @root.list}}{{formatDate this}}{{/each}}{{/each}}', 'steps'],
    ['a long output', '{{#each list}}{{@root.long}}{{/each}}', 'characters'],
    ['references with a long output', '{{long}}{{long}}{{long}}', 'characters'],
    ['lists within each other', twice('{{this}}', 40), 'steps'],
    [
      'lists within each other as JSON',
      `{{#with list}}${twice('{{jsonEncode this}}', 40)}{{/with}}`,
      'steps',
    ],
    ['long lists as JSON', '{{jsonEncode (array long long long)}}', 'characters'],
    ['texts that grow', `{{${'encodeBase64 ('.repeat(60)}upper "x"${')'.repeat(60)}}}`, 'characters'],
    ['a template that renders itself', '{{template self}}', 'deep'],
    ['a template that renders itself twice', '{{template both}}', ''],
    ['an expression that evaluates itself', '{{evalExpression again}}', 'deep'],
    ['a text that is parsed often', '{{#each list}}{{template @root.blocks}}{{/each}}', 'steps'],
    ['a long template', '{{template giant}}', 'must have at most'],
    ['deep JSON', '{{jsonDecode nested}}', 'nested too deeply'],
    ['a deep value as JSON', '{{jsonEncode deep}}', 'levels deep'],
    ['a deep value as HTML', '{{toHtml deep}}', 'levels deep'],
  ])('%s', (_name, template, reason) => {
    let deep: unknown = [];
    for (let i = 0; i < 300; i++) deep = [deep];
    const payload = {
      list,
      long,
      deep,
      self: '{{template self}}',
      both: '{{template both}}{{template both}}',
      again: '{{evalExpression again}}',
      blocks: '{{#if a}}b{{/if}}'.repeat(1_000),
      giant: '{{#if a}}b{{/if}}'.repeat(4_000),
      nested: '['.repeat(100_000) + ']'.repeat(100_000),
    };
    const render = compileTemplate(template);
    expect(() => render(payload)).toThrow(RunFault);
    expect(() => render(payload)).toThrow(reason);
    expect(compileTemplate('{{n}}')({ n: 1 })).toBe('1');
  });

  it('a long output of JSON', () => {
    expect(() => compileJson('[{{#each list}}"{{@root.long}}",{{/each}}1]')({ list, long })).toThrow(
      RunFault,
    );
  });

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    'a*a*a*a*a*a*b',
    '(?:a?){40}a{40}b',
    '^(?=(a+))*b$',
    '(a*)*\\1b',
  ])('the regular expression %s', (pattern) => {
    const render = compileTemplate('{{#each list}}{{match @root.text @root.pattern}}{{/each}}');
    const payload = { list, pattern, text: 'a'.repeat(30_000) + '!' };
    expect(() => render(payload)).toThrow(RunFault);
  });
});
