import { printed } from '../evaluate.js';
import { templateFault } from '../handlebars/budget.js';
import { spendValue } from './weight.js';

/** Elements that have no content and no end tag. */
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose text is not escaped. */
const RAW: ReadonlySet<string> = new Set(['script', 'style']);
const NAME = /^[^\s"'<>/=]{1,200}$/;

/** Member of an object, own ones only. */
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/**
 * Returns the HTML of what the HTML Parser node makes of it: a node such as `{type: "element", name, attributes,
 * children}` or `{type: "text", value}`, an object with `children`, or a list of them.
 */
export function toHtml(value: unknown): string {
  spendValue(value);
  return htmlOf(value, false);
}

function htmlOf(value: unknown, isRaw: boolean): string {
  if (Array.isArray(value)) return value.map((item) => htmlOf(item, isRaw)).join('');
  const content = printed(member(value, 'value'));
  switch (member(value, 'type')) {
    case 'text':
      return isRaw
        ? content
        : content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    case 'comment':
      return `<!--${content.replaceAll('--', '- -')}-->`;
    case 'element':
      return elementOf(value);
    default:
      return htmlOf(member(value, 'children') ?? [], isRaw);
  }
}

function elementOf(value: unknown): string {
  const name = nameOf(member(value, 'name'));
  const attributes = Object.entries(member(value, 'attributes') ?? {}).map(
    ([key, text]) => ` ${nameOf(key)}="${printed(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  const start = `<${name}${attributes.join('')}>`;
  if (VOID.has(name.toLowerCase())) return start;
  return `${start}${htmlOf(member(value, 'children') ?? [], RAW.has(name.toLowerCase()))}</${name}>`;
}

function nameOf(value: unknown): string {
  const name = printed(value);
  if (!NAME.test(name)) throw templateFault('HTML has an invalid name of an element or attribute');
  return name;
}
