import { DomUtils, ElementType } from 'htmlparser2';
import type { HtmlFormat } from '../../engine/ports.js';
import type { DomNode, Element } from './document.js';

/** How an element is written to the payload. */
export const FORMATS: Readonly<Record<HtmlFormat, (element: Element) => unknown>> = {
  text: (element) => DomUtils.textContent(element),
  xml: (element) => DomUtils.getOuterHTML(element, { xmlMode: true, encodeEntities: 'utf8' }),
  json: (element) => ({ children: jsonOf(element) }),
};

/** Returns a node as an object that the helper `toHtml` reads, in a list; an empty list for declarations. */
function jsonOf(node: DomNode): object[] {
  if ('attribs' in node)
    return [
      {
        type: 'element',
        name: node.name,
        attributes: { ...node.attribs },
        children: node.children.flatMap(jsonOf),
      },
    ];
  if ('children' in node) return node.children.flatMap(jsonOf);
  if (node.type === ElementType.Text) return [{ type: 'text', value: node.data }];
  return node.type === ElementType.Comment ? [{ type: 'comment', value: node.data }] : [];
}
