/** Element of a SAML document, by local name. */
export interface XmlElement {
  name: string;
  /** Values by attribute name as written (`ID`, `xsi:type`), with references resolved. */
  attributes: ReadonlyMap<string, string>;
  /** Text of the element itself, without that of its children. */
  text: string;
  children: XmlElement[];
}

/**
 * Far above the needs of any provider. Verifying a signature takes quadratic time in the number of elements: 18,000
 * empty elements in 75 KB would occupy a CPU core for seconds.
 */
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 500;
/** Attributes for each element. */
const MAX_ATTRIBUTES = 4;
const MAX_ATTRIBUTE_LENGTH = 2048;

const SPACE = '[ \\t\\r\\n]';
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const EQUALS = `${SPACE}*=${SPACE}*`;
const VALUE = `"[^"<]*"|'[^'<]*'`;
const START_TAG = new RegExp(
  `<(?<tag>${NAME})(?<attributes>(?:${SPACE}+${NAME}${EQUALS}(?:${VALUE}))*)${SPACE}*(?<empty>/?)>`,
  'y',
);
const END_TAG = new RegExp(`</(?<tag>${NAME})${SPACE}*>`, 'y');
const ATTRIBUTE = new RegExp(`(?<name>${NAME})${EQUALS}(?<value>${VALUE})`, 'g');
const DECLARATION = new RegExp(`^<\\?xml${SPACE}[^<>?]*\\?>`);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Parses a document of bounded size that consists of elements, attributes and text only, in one linear pass. SAML
 * messages need nothing else. Constructs that parsers interpret differently (document types, entities, comments, CDATA,
 * processing instructions, unmatched tags) are therefore rejected before any other parser reads them. Throws an `Error`
 * that names the construct.
 */
export function readXml(xml: string, maxElements = MAX_ELEMENTS): XmlElement {
  const body = xml.replace(DECLARATION, '');
  const top: XmlElement = { name: '', attributes: new Map(), text: '', children: [] };
  const open = [{ element: top, tag: '' }];
  let elements = 0;
  let attributes = 0;
  let position = 0;
  while (position < body.length) {
    const { element, tag } = open.at(-1)!;
    const markup = body.indexOf('<', position);
    element.text += resolve(body.slice(position, markup < 0 ? undefined : markup));
    if (markup < 0) break;

    const end = matchAt(END_TAG, body, markup);
    const start = end ?? matchAt(START_TAG, body, markup);
    if (!start) throw new Error('markup other than elements, such as a document type or a comment');
    position = markup + start[0].length;
    if (end) {
      if (end.groups!.tag !== tag) throw new Error('tags do not pair');
      open.pop();
      continue;
    }
    if (open.length > MAX_DEPTH) throw new Error(`elements are nested deeper than ${MAX_DEPTH}`);
    const child = elementOf(start.groups!.tag!, start.groups!.attributes!);
    elements += 1;
    attributes += child.attributes.size;
    if (elements > maxElements || attributes > maxElements * MAX_ATTRIBUTES)
      throw new Error('too many elements or attributes');
    element.children.push(child);
    if (!start.groups!.empty) open.push({ element: child, tag: start.groups!.tag! });
  }
  const [root, ...others] = top.children;
  if (open.length > 1 || top.text.trim() || !root || others.length > 0)
    throw new Error('not one whole document');
  return root;
}

/** Yields the element and all its descendants in document order. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}

/** Returns the children with that name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the only child with that name. Throws unless there is exactly one. */
export function onlyChild(element: XmlElement, name: string): XmlElement {
  const [child, ...others] = childrenOf(element, name);
  if (!child || others.length > 0) throw new Error(`${element.name} must contain exactly one ${name}`);
  return child;
}

/** Returns the trimmed text of an element that contains only text. */
export function textOf(element: XmlElement): string {
  if (element.children.length > 0) throw new Error(`${element.name} has elements within its text`);
  return element.text.trim();
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}

function elementOf(tag: string, attributeText: string): XmlElement {
  const attributes = new Map<string, string>();
  for (const { groups } of attributeText.matchAll(ATTRIBUTE)) {
    if (attributes.has(groups!.name!)) throw new Error(`attribute ${groups!.name} occurs twice`);
    if (groups!.value!.length > MAX_ATTRIBUTE_LENGTH)
      throw new Error(`attribute ${groups!.name} is too long`);
    attributes.set(groups!.name!, resolve(groups!.value!.slice(1, -1)));
  }
  return { name: tag.slice(tag.indexOf(':') + 1), attributes, text: '', children: [] };
}

/** Resolves character references and the five entities predefined in XML; no others can exist. */
function resolve(text: string): string {
  return text.replace(
    /&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w+));/g,
    (_, hex: string, decimal: string, name: string) => {
      if (hex) return String.fromCodePoint(parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      if (!Object.hasOwn(ENTITIES, name)) throw new Error('an entity that XML does not define');
      return ENTITIES[name]!;
    },
  );
}
