import { detached } from '../../../lib/async/detached.js';
import { newId } from '../../../platform/repositories/resource.js';

/** Other programs begin theirs with other words; ours alone are known where nothing of the bundle has them. */
const PLACEHOLDER = /~([a-zA-Z]{1,32})-([a-zA-Z]{1,64})-[^~\s"\\]{0,300}~/g;
const OURS = 'exportplaceholderid';
/** What stands in texts of hand-made bundles in the places of addresses. */
const ADDRESSES: ReadonlySet<string> = new Set(
  ['app-url', 'docs-url', 'files-domain'].map((name) => `~${OURS}-${name}~`),
);
const ID = /(?<![\da-fA-F])[\da-fA-F]{24}(?![\da-fA-F])/g;

/**
 * What stands in the place of the ids and texts of a bundle. They are replaced wherever they stand, in any text: in tags,
 * queries and settings of workflows as in the properties that hold an id alone.
 */
export class NewIds {
  private readonly known = new Map<string, string>();
  private readonly made = new Map<string, string>();
  private readonly shared = new Map<string, { word: string; versions: Set<string> }>();

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
   * The id that stands from now on for what several versions of an experience have under one, each once: the same in all of
   * them. Nothing where it stands for something else already.
   */
  share(old: string, word: string, version: string): string | undefined {
    const key = keyOf(old);
    const shared = this.shared.get(key);
    if (!shared) {
      const id = newId();
      if (!this.add(old, id)) return undefined;
      this.shared.set(key, { word, versions: new Set([version]) });
      return id;
    }
    if (shared.word !== word || shared.versions.has(version)) return undefined;
    shared.versions.add(version);
    return this.known.get(key);
  }

  /**
   * The JSON of a value with what is known replaced. A placeholder that nothing stands for becomes an id that nothing has, always the
   * same one, so that what names it stays what it is; `missing` hears of it.
   */
  replaceIn(json: string, missing: (placeholder: string, word: string) => void = () => undefined): string {
    return json
      .replace(PLACEHOLDER, (placeholder, prefix: string, word: string) => {
        const id = this.known.get(placeholder);
        if (id !== undefined) return id;
        if (prefix !== OURS || ADDRESSES.has(placeholder)) return placeholder;
        const maker = this.makers.get(word);
        if (!maker) missing(placeholder, word);
        return this.makeOnce(placeholder, maker ?? newId);
      })
      .replace(ID, (id) => this.known.get(keyOf(id)) ?? id);
  }

  /** What stands for an id of the bundle, where something does. */
  find(old: unknown): string | undefined {
    return typeof old === 'string' ? this.known.get(keyOf(old)) : undefined;
  }

  /** Has something else stand for an id that is known. */
  set(old: string, id: string): void {
    this.known.set(keyOf(old), id);
  }

  private makeOnce(placeholder: string, maker: () => string): string {
    const known = this.made.get(placeholder);
    if (known !== undefined) return known;
    const made = maker();
    this.made.set(detached(placeholder), made);
    return made;
  }
}

const keyOf = (old: string): string => (/^[\da-fA-F]{24}$/.test(old) ? old.toLowerCase() : old);
