import { isDeepStrictEqual } from 'node:util';
import type { Client, Item } from './client.js';

/** Resources to create in a collection, such as `devices`. */
export interface Wanted {
  path: string;
  /** Property that identifies an item; by default `name`, or what a kind without names has instead. */
  key?: string;
  /** Items with `names` stand for one item for each name. `updates` are patched in order after the creation. */
  items: (Item & { names?: string[]; updates?: Item[] })[];
}

/** A request that is no new resource with a name, such as a press of a button. */
export interface Action {
  post?: string;
  patch?: string;
  /** A request is sent for each. */
  bodies: Item[];
  /** List that has an item if the action was performed before. */
  unless?: string;
}

/** Reference to a resource by its name, such as `{devices/Station South}`, or to a property: `{webhooks/Desk#token}`. */
const REFERENCE = /(?<!\{)\{([a-z-]+(?:\/[a-z-]+)?)\/([^{}"/#]+)(?:#(\w+))?\}(?!\})/g;
/** A time of so many hours ago. */
const HOURS_AGO = /now-(\d+)h/g;
/** Lists that return a part of the collection by default: workflows of the class `cloud`. */
const COMPLETE_LISTS: Record<string, string> = { flows: `flows?query=${encodeURIComponent('{}')}` };
const HOUR_MS = 3_600_000;
/** The first property that a resource has is its name here. */
const NAMES = ['name', 'email', 'version', 'subject'];

/** The resources of one application: finds them by name, and creates those that are missing. */
export class Resources {
  private readonly collections = new Map<string, Promise<Map<string, Item>>>();

  constructor(
    readonly client: Client,
    /** Path of the application. */
    readonly base: string,
  ) {}

  /** Returns the resources of a collection by name. */
  all(path: string, key?: string): Promise<Map<string, Item>> {
    const known = this.collections.get(path) ?? this.load(path, key);
    this.collections.set(path, known);
    return known;
  }

  async find(path: string, name: string): Promise<Item> {
    const item = (await this.all(path)).get(name);
    if (!item) throw new Error(`${this.base}/${path} has no ${name}.`);
    return item;
  }

  /** Creates the items that the collection does not have, and returns their number. */
  async create({ path, key, items }: Wanted): Promise<number> {
    const collection = await this.resolved(path);
    const existing = await this.all(collection, key);
    let created = 0;
    for (const { names, ...rest } of items) {
      for (const one of names ? names.map((name) => ({ name, ...rest })) : [rest]) {
        const { updates = [], ...body } = await this.resolved<Wanted['items'][number]>(one);
        if (existing.has(nameOf(body, key))) continue;
        const item = await this.client.post(`${this.base}/${collection}`, body);
        for (const update of updates) {
          await this.client.patch(`${this.base}/${collection}/${item.id as string}`, update);
        }
        existing.set(nameOf(body, key), item);
        created += 1;
      }
    }
    return created;
  }

  /** Performs an action unless it was performed before; returns whether it did. */
  async perform(action: Action): Promise<boolean> {
    const { post, patch, bodies, unless } = await this.resolved(action);
    if (unless !== undefined && (await this.client.list(this.at(unless))).length > 0) return false;
    if (post !== undefined) for (const body of bodies) await this.client.post(this.at(post), body);
    if (patch !== undefined) for (const body of bodies) await this.change(patch, body);
    return true;
  }

  /** Changes properties of a resource that differ. */
  async change(path: string, body: Item): Promise<void> {
    const item = await this.client.get(this.at(path));
    const isEqual = Object.entries(body).every(([property, value]) =>
      isDeepStrictEqual(item[property], value),
    );
    if (!isEqual) await this.client.patch(this.at(path), body);
  }

  /** Paths are relative to the application unless they begin with a slash. */
  private at(path: string): string {
    return path.startsWith('/') ? path : `${this.base}/${path}`;
  }

  private async load(path: string, key?: string): Promise<Map<string, Item>> {
    const items = await this.client.list(this.at(COMPLETE_LISTS[path] ?? path));
    return new Map(items.map((item) => [nameOf(item, key), item]));
  }

  /** Replaces references by IDs, and relative times by absolute ones. */
  private async resolved<T>(value: T): Promise<T> {
    let text = JSON.stringify(value);
    for (const [reference, path, name, property = 'id'] of text.matchAll(REFERENCE)) {
      text = text.replace(reference, (await this.find(path!, name!))[property] as string);
    }
    text = text.replace(HOURS_AGO, (_, hours) =>
      new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
    );
    return JSON.parse(text) as T;
  }
}

function nameOf(item: Item, key = NAMES.find((name) => typeof item[name] === 'string')): string {
  return item[key ?? 'id'] as string;
}
