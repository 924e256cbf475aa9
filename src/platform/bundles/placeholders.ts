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
  private readonly byId = new Map<string, string>();
  private readonly byText = new Map<string, string>();
  private readonly lengths = new Set<number>();
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
    this.byText.set(text, this.next(word, name));
    this.lengths.add(text.length);
  }

  /** Returns whether an ID is replaced. */
  has(id: string): boolean {
    return this.byId.has(id.toLowerCase());
  }

  /** Returns the value with placeholders in all of its texts, including property names. */
  replaceIn(value: unknown): unknown {
    if (typeof value === 'string') return this.replaceInText(value);
    if (Array.isArray(value)) return value.map((item) => this.replaceIn(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.replaceInText(name), this.replaceIn(item)]),
    );
  }

  replaceInText(text: string): string {
    const replaced = this.replaceAddresses(text).replace(ID, (id) => this.byId.get(id.toLowerCase()) ?? id);
    return [...this.lengths].reduce((known, length) => this.replaceTexts(known, length), replaced);
  }

  /** Replaces the registered texts of one length, at any position. */
  private replaceTexts(text: string, length: number): string {
    return text.replace(new RegExp(`[\\w-]{${length},}`, 'g'), (run) => {
      let result = '';
      for (let at = 0; at < run.length;) {
        const placeholder = this.byText.get(run.slice(at, at + length));
        result += placeholder ?? run[at]!;
        at += placeholder ? length : 1;
      }
      return result;
    });
  }

  private next(word: string, name: string): string {
    const stem = `${word}-${camelCase(name) || word}`;
    const n = (this.used.get(stem) ?? 0) + 1;
    this.used.set(stem, n);
    return `~exportplaceholderid-${stem}${n === 1 ? '' : `-${n}`}~`;
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
