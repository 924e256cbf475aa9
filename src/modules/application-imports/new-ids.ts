import { newId } from '../../platform/resource.js';

const PLACEHOLDER = /~exportplaceholderid-([a-zA-Z]{1,64})-[^~\s"\\]{1,300}~/g;
const ID = /(?<![\da-fA-F])[\da-fA-F]{24}(?![\da-fA-F])/g;

/**
 * What stands in the place of the ids and texts of a bundle. They are replaced wherever they stand, in any text: in tags,
 * queries and settings of workflows as in the properties that hold an id alone.
 */
export class NewIds {
  private readonly known = new Map<string, string>();
  private readonly made = new Map<string, string>();

  /** `makers` make texts anew, by the words of their placeholders. */
  constructor(private readonly makers: ReadonlyMap<string, () => string> = new Map()) {}

  /** Has an id of the bundle replaced from now on; false where it stands for something else already. */
  add(old: string, id: string): boolean {
    const key = keyOf(old);
    if (this.known.has(key)) return false;
    this.known.set(key, id);
    return true;
  }

  /**
   * The JSON of a value with what is known replaced. A placeholder that nothing stands for becomes an id that nothing has, always the
   * same one, so that what names it stays what it is; `missing` hears of it.
   */
  replaceIn(json: string, missing: (placeholder: string, word: string) => void = () => undefined): string {
    return json
      .replace(PLACEHOLDER, (placeholder, word: string) => {
        const id = this.known.get(placeholder);
        if (id !== undefined) return id;
        const maker = this.makers.get(word);
        if (!maker) missing(placeholder, word);
        return this.makeOnce(placeholder, maker ?? newId);
      })
      .replace(ID, (id) => this.known.get(keyOf(id)) ?? id);
  }

  /** Whether a value is an id that something stands for. */
  knows(old: unknown): boolean {
    return typeof old === 'string' && this.known.has(keyOf(old));
  }

  /** Has something else stand for an id that is known. */
  set(old: string, id: string): void {
    this.known.set(keyOf(old), id);
  }

  private makeOnce(placeholder: string, maker: () => string): string {
    const made = this.made.get(placeholder) ?? maker();
    this.made.set(placeholder, made);
    return made;
  }
}

const keyOf = (old: string): string => (/^[\da-fA-F]{24}$/.test(old) ? old.toLowerCase() : old);
