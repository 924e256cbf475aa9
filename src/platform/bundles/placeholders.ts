/** Replacement for an ID in a bundle: `~exportplaceholderid-device-pump3~`. */
export const PLACEHOLDER = /~exportplaceholderid-([a-zA-Z]+)-([a-zA-Z0-9_-]+)~/g;

const ID = /(?<![\da-fA-F])[\da-fA-F]{24}(?![\da-fA-F])/g;
const MAX_NAME_LENGTH = 64;

/**
 * The placeholders of a bundle, keyed by the IDs and regenerated texts that they replace. They consist of the word of
 * the family and the name of the resource, and are numbered if several share a name. The same content therefore gets
 * the same placeholders.
 */
export class Placeholders {
  /** Placeholders of the regenerated texts. */
  readonly texts = new TextPlaceholders();
  private readonly byId = new Map<string, string>();
  private readonly used = new Map<string, number>();

  /** `replaceAddresses` replaces addresses of the platform by their placeholders. */
  constructor(private readonly replaceAddresses = (text: string): string => text) {}

  /**
   * Registers an ID to be replaced. An ID shared by several resources, such as a view and its copies in versions, keeps
   * its first placeholder.
   */
  addId(id: string, word: string, name: string): void {
    if (!this.byId.has(id)) this.byId.set(id, this.next(word, name));
  }

  /** Registers a text to be replaced; it must consist of letters, digits, `_` and `-`. */
  addText(text: string, word: string, name: string): void {
    this.texts.add(text, this.next(word, name));
  }

  /** Returns whether an ID is replaced. */
  has(id: string): boolean {
    return this.byId.has(id.toLowerCase());
  }

  replaceInText(text: string): string {
    return this.texts.replaceIn(this.replaceIds(text));
  }

  /** Returns the text with placeholders for addresses and IDs only. */
  replaceIds(text: string): string {
    return this.replaceAddresses(text).replace(ID, (id) => this.byId.get(id.toLowerCase()) ?? id);
  }

  private next(word: string, name: string): string {
    const stem = `${word}-${camelCase(name) || word}`;
    const n = (this.used.get(stem) ?? 0) + 1;
    this.used.set(stem, n);
    return `~exportplaceholderid-${stem}${n === 1 ? '' : `-${n}`}~`;
  }
}

/** Returns a JSON value with all of its texts replaced, including property names. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [replace(name), mapTexts(item, replace)]),
  );
}

const isWord = Array.from({ length: 128 }, (_, code) => /[\w-]/.test(String.fromCharCode(code)));

/** Placeholders of texts, which must consist of letters, digits, `_` and `-`. */
export class TextPlaceholders {
  private readonly byText = new Map<string, string>();
  private readonly lengths = new Set<number>();

  constructor(entries: Iterable<readonly [string, string]> = []) {
    for (const [text, placeholder] of entries) this.add(text, placeholder);
  }

  get size(): number {
    return this.byText.size;
  }

  /** Texts and their placeholders. */
  get entries(): [string, string][] {
    return [...this.byText];
  }

  add(text: string, placeholder: string): void {
    this.byText.set(text, placeholder);
    this.lengths.add(text.length);
  }

  /** Replaces the texts at any position. */
  replaceIn(text: string): string {
    return [...this.lengths].reduce((known, length) => this.replaceLength(known, length), text);
  }

  /** Has no regular expression, which would overflow its stack in a word of several million characters. */
  private replaceLength(text: string, length: number): string {
    let result = '';
    let copied = 0;
    let word = 0;
    for (let end = 1; end <= text.length; end++) {
      word = isWord[text.charCodeAt(end - 1)] ? word + 1 : 0;
      if (word < length) continue;
      const placeholder = this.byText.get(text.slice(end - length, end));
      if (placeholder === undefined) continue;
      result += text.slice(copied, end - length) + placeholder;
      copied = end;
      word = 0;
    }
    return result + text.slice(copied);
  }
}

/** Converts `Pump station 3` to `pumpStation3`. Characters of other alphabets are dropped. */
function camelCase(name: string): string {
  const words = name
    .normalize('NFKD')
    .slice(0, 4 * MAX_NAME_LENGTH)
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean);
  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  const joined = words.map((word, i) => (i === 0 ? word[0]!.toLowerCase() + word.slice(1) : capital(word)));
  return joined.join('').slice(0, MAX_NAME_LENGTH);
}
