import { runNode } from '../../../../test/doubles/run-node.js';
import type { HtmlQuery } from '../../engine/ports.js';
import { compileTemplate } from '../../language/compile.js';
import { findElements } from './find-elements.js';
import { htmlParserNode } from './index.js';

const html = { find: (_actor: unknown, query: HtmlQuery) => Promise.resolve(query).then(findElements) };

const HTML = `<!DOCTYPE html><html><body><ul id="l" class="a b">
<li data-n="1">One &amp; <b>1</b><li data-n="2">Two<br>2</li><!-- c --></ul>
<p>A<p lang=de>B</p></body></html>`;
const XML = `<?xml version="1.0"?><Feed><Item Id="1">A<![CDATA[<b>]]></Item><item Id="2"/></Feed>`;

async function found(selectorTemplate: string, resultFormatTemplate = 'text', h: unknown = HTML) {
  const config = { documentPath: 'h', selectorTemplate, resultFormatTemplate, resultPath: 'r' };
  return ((await runNode(htmlParserNode, config, { h, s: 'li' }, { ports: { html } })).payload as any)
    .r as any[];
}

describe('HtmlParserNode', () => {
  it.each<[string, unknown[]]>([
    ['li', ['One & 1', 'Two2']],
    ['{{s}} > b', ['1']],
    ['#l.a.b li[data-n="2"]', ['Two2']],
    ['ul:has(> li:nth-child(2)) b, p:lang(de)', ['1', 'B']],
    ['p + p', ['B']],
    ['li ~ li', ['Two2']],
    ['li:contains(Two)', ['Two2']],
    ['LI:first-child B', ['1']],
    ['article', []],
    ['', []],
    ['li[', []],
    ['li:unknown', []],
    ['[constructor^=a]', []],
  ])('finds by %j the texts %j', async (selector, texts) => {
    expect(await found(selector)).toEqual(texts);
  });

  it('has the form of JSON, which toHtml reverses', async () => {
    const r = await found('ul > li:last-of-type', 'JSON');
    const text = (value: string) => ({ type: 'text', value });
    const br = { type: 'element', name: 'br', attributes: {}, children: [] };
    expect(r).toEqual([
      {
        children: [
          {
            type: 'element',
            name: 'li',
            attributes: { 'data-n': '2' },
            children: [text('Two'), br, text('2')],
          },
        ],
      },
    ]);
    expect(compileTemplate('{{toHtml r}}')({ r })).toBe('<li data-n="2">Two<br>2</li>');
  });

  it('has the form of XML', async () => {
    expect(await found('li', 'xml')).toEqual([
      '<li data-n="1">One &amp; <b>1</b></li>',
      '<li data-n="2">Two<br/>2</li>',
    ]);
  });

  it('parses XML, whose names have upper and lower case', async () => {
    expect(await found('Item', 'text', XML)).toEqual(['A<b>']);
    expect(await found('[Id]', 'xml', XML)).toEqual([
      '<Item Id="1">A<![CDATA[<b>]]></Item>',
      '<item Id="2"/>',
    ]);
    expect(await found('Item', 'json', XML)).toEqual([
      {
        children: [
          {
            type: 'element',
            name: 'Item',
            attributes: { Id: '1' },
            children: [
              { type: 'text', value: 'A' },
              { type: 'text', value: '<b>' },
            ],
          },
        ],
      },
    ]);
  });

  it('does not reach prototypes', async () => {
    const document = '<a __proto__="x" constructor="y">z</a>';
    const [{ children }] = await found('a', 'json', document);
    expect(Object.getPrototypeOf(children[0].attributes)).toBe(Object.prototype);
    expect(children[0].attributes.constructor).toBe('y');
  });

  it.each<[string, unknown, string, string]>([
    ['a document that is no text', 5, 'a', 'documentPath must be the path of a text'],
    ['an absent document', null, 'a', 'documentPath must be the path of a text'],
    [
      'a large document',
      'x'.repeat(5 * 1024 * 1024 + 1),
      'a',
      'documentPath must have at most 5242880 characters',
    ],
    ['a document of many elements', '<br>'.repeat(250_001), 'a', 'documentPath must have at most 250000'],
    ['a deep document', '<b>'.repeat(513), 'a', 'documentPath must not be nested more than 512 levels'],
    ['a long selector', '', 'a'.repeat(1001), 'selectorTemplate must have at most 1000 characters'],
  ])('fails the run for %s', async (_title, document, selector, message) => {
    await expect(found(selector, 'text', document)).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('fails the run for another format, and without a path', async () => {
    await expect(found('a', 'yaml')).rejects.toMatchObject({
      message: 'resultFormatTemplate must be one of text, xml, json',
    });
    await expect(runNode(htmlParserNode, { resultPath: 'r' })).rejects.toMatchObject({
      message: 'documentPath is required',
    });
  });

  const flat = '<p>x'.repeat(20_000);
  const nested = `${'<div>'.repeat(500)}${'<p>x'.repeat(20_000)}`;
  it.each([
    ['siblings', 'u ~ * ~ * ~ * ~ *', flat],
    ['positions', ':nth-child(2n+1 of p ~ p):nth-last-child(3)', flat],
    ['nested searches', ':has(~ :has(~ u) ~ *)', flat],
    ['texts', ':contains(y) ~ *', nested],
    ['long attributes', `[a*="b${'a'.repeat(900)}"]`, `<i a="${'a'.repeat(20_000)}">`.repeat(50)],
    ['copies', '*', nested],
  ])('fails the run for selectors that take too many steps: %s', async (_title, selector, document) => {
    await expect(found(selector, 'xml', document)).rejects.toMatchObject({
      message: 'selectorTemplate takes too many steps for this text',
    });
  });
});
