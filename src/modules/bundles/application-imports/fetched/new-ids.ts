import { deepCopy } from '../../../../lib/async/deep-copy.js';
import type { PlatformAddress } from '../../../../platform/bundles/platform-addresses.js';
import { newId } from '../../../../platform/repositories/resource.js';

/**
 * Other programs use other prefixes. Only our placeholders are recognized without a matching resource in the bundle.
 */
const PLACEHOLDER = /~([a-zA-Z]{1,32})-([a-zA-Z]{1,64})-[^~\s"\\]{0,300}~/g;
/** URL of an address of the platform. A name before the address, such as a slug, may be a template or a placeholder. */
const ADDRESS_URL =
  /https(:\/\/(?:(?:[\w-]|\{\{[^{}]{1,200}\}\}|~[\w-]{1,200}~){1,100}\.)?(~exportplaceholderid-[a-z-]{1,64}~))/g;
const OWN_PREFIX = 'exportplaceholderid';
const ID = /(?<![\da-fA-F])[\da-fA-F]{24}(?![\da-fA-F])/g;

/** What placeholders without a matching resource stand for. */
export interface KnownPlaceholders {
  /** Words of the resources that bundles can contain. */
  words: ReadonlySet<string>;
  /** Makers of generated texts, by the word of the placeholder. */
  makers: ReadonlyMap<string, () => string>;
  /** Addresses of the platform, by placeholder. */
  addresses: ReadonlyMap<string, PlatformAddress>;
}

/**
 * Maps IDs and generated texts of a bundle to new ones. Replaces them anywhere in a text: in properties that hold a
 * single ID as well as in tags, queries and workflow settings.
 */
export class NewIds {
  private readonly known = new Map<string, string>();
  private readonly generated = new Map<string, string>();
  private readonly shared = new Map<string, { placeholderWord: string; versions: Set<string> }>();

  constructor(private readonly placeholders: KnownPlaceholders) {}

  /** Maps an ID of the bundle to a new one. Returns `false` if it is already mapped. */
  add(old: string, id: string): boolean {
    const key = keyOf(old);
    if (this.known.has(key)) return false;
    this.known.set(key, id);
    return true;
  }

  /**
   * Returns the new ID of a resource that several experience versions contain, each at most once; it is the same in all
   * of them. Returns `undefined` if the old ID is already mapped to something else.
   */
  share(old: string, placeholderWord: string, version: string): string | undefined {
    const key = keyOf(old);
    const shared = this.shared.get(key);
    if (!shared) {
      const id = newId();
      if (!this.add(old, id)) return undefined;
      this.shared.set(key, { placeholderWord, versions: new Set([version]) });
      return id;
    }
    if (shared.placeholderWord !== placeholderWord || shared.versions.has(version)) return undefined;
    shared.versions.add(version);
    return this.known.get(key);
  }

  /**
   * Replaces known IDs and addresses in the JSON of a value. A placeholder without a resource is replaced with an unused
   * ID, the same one each time, so that references stay consistent, and is reported to `missing`. If the platform does
   * not have resources of its kind, it is kept, so that a later version can resolve it. Bundles write `https` before
   * addresses, which becomes `http` if the platform is reached without TLS.
   */
  replaceIn(json: string, missing: (placeholder: string, word: string) => void = () => undefined): string {
    return json
      .replace(ADDRESS_URL, (url, rest: string, placeholder: string) =>
        this.placeholders.addresses.get(placeholder)?.hasTls === false ? `http${rest}` : url,
      )
      .replace(PLACEHOLDER, (placeholder, prefix: string, word: string) => {
        const { addresses, makers, words } = this.placeholders;
        const found = this.known.get(placeholder) ?? addresses.get(placeholder)?.address;
        if (found !== undefined) return found;
        if (prefix !== OWN_PREFIX) return placeholder;
        const maker = makers.get(word);
        if (!maker) missing(placeholder, word);
        if (!maker && !words.has(word)) return placeholder;
        return this.generateOnce(placeholder, maker ?? newId);
      })
      .replace(ID, (id) => this.known.get(keyOf(id)) ?? id);
  }

  /** Returns the new ID for an ID of the bundle, or `undefined` if it is unknown. */
  find(old: unknown): string | undefined {
    return typeof old === 'string' ? this.known.get(keyOf(old)) : undefined;
  }

  /** Maps a known ID of the bundle to a different one. */
  set(old: string, id: string): void {
    this.known.set(keyOf(old), id);
  }

  private generateOnce(placeholder: string, maker: () => string): string {
    const known = this.generated.get(placeholder);
    if (known !== undefined) return known;
    const made = maker();
    this.generated.set(deepCopy(placeholder), made);
    return made;
  }
}

const keyOf = (old: string): string => (/^[\da-fA-F]{24}$/.test(old) ? old.toLowerCase() : old);
