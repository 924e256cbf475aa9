import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import type { SecretBox } from '../../lib/crypto/secrets.js';
import type { Changes } from '../database/changes.js';
import { RowShape, type Computed } from '../database/row-shape.js';
import { fieldsOf } from '../fields/fields.js';
import type { Holding } from '../holdings/holding.js';
import type { Resource } from '../repositories/resource.js';

/** What bundles of applications hold, for injection. */
export const BUNDLES = Symbol('bundles');

/** What they hold of versions of an experience, beside what is being developed. */
export const KEPT_BUNDLES = Symbol('kept bundles');

/** What whoever asks for an export has to ask for, or it is left out. */
export const BUNDLE_OPTIONS = [
  'includeFiles',
  'includePrivateFiles',
  'includeDataTableRows',
  'includeDevices',
] as const;
export type BundleOption = (typeof BUNDLE_OPTIONS)[number];

/**
 * Where the resources of a family stand, paths without `.yaml`: in one file, or in one for each. Resources of the same file are
 * read one after the other.
 */
export type BundlePlace<T> = { file(resource: T): string } | { each(resource: T): string };

/** A file beside the resource that has what is too large for it, or no text. */
export interface BundleContent<T, Property extends string = string> {
  /** A text property of the resource, the rows of a data table, or the blob of a file. */
  kind: { text: Property } | 'rows' | 'blob';
  /** Its path without the ending; nothing where the resource has none. */
  path(resource: T): string | undefined;
  ending: string;
  /** The option without which there is none. */
  option?: BundleOption;
}

/** A text of a resource that is unique on the platform and made anew where it is imported, such as the token of a webhook. */
export interface MadeText {
  /** What stands in its placeholders. */
  word: string;
  make(): string;
}

/** A table of pairs of ids: a resource and another that it is linked with. */
export interface LinkTable {
  table: string;
  /** The columns of the resource itself, and of the other. */
  own: string;
  other: string;
  /** The table of the others. */
  others: string;
  /** A column of both that is a part of what tells the resource from others of its id: links have it, too. */
  within?: string;
}

/** A resource that another names, which may be made after it. */
export interface LateLink {
  /** Its table. */
  others: string;
  /** A column of it that names the other back. */
  of?: string;
}

/** What a new row is for. */
export interface NewRow {
  id: string;
  applicationId: string;
  /** Of what a version of the experience keeps, the version. */
  version?: { id: string; name: string };
  /** Seals what is secret in it: others may have put into a bundle what none of ours has. */
  secrets: SecretBox;
  /** The first level of the platform's own topics. */
  topicPrefix: string;
}

/** What bundles hold of a family, declared once beside its holding. `Body` is what validates it: the body of a POST. */
export interface BundledFacts<T extends Resource, Body extends object> {
  holding: Holding<T>;
  /** What its files say that its resources are. */
  resourceType: string;
  /** What stands in the placeholders of its ids: `~exportplaceholderid-<word>-<name>~`. */
  word: string;
  place: BundlePlace<T>;
  /** A bundle has those properties of it that rows have. Secrets are none of them, as no row shows one. */
  post: Type<Body>;
  /** What a bundle has beside the properties of the body. */
  also?: readonly string[];
  /** Properties of the body that no bundle has. */
  without?: readonly (keyof Body & string)[];
  /** The property that placeholders are named by; `name` where it is absent. */
  named?: keyof T & string;
  /** What else tells it from others of its application with the same name, such as the workflow of a version. */
  identity?: readonly (keyof T & string)[];
  /** What `place` and `content` have to know of a row beside that, with the SQL where no row of the holding shows it. */
  known?: readonly Computed[];
  /** SQL over a row `t` by which rows are read in order, before their names. */
  order?: readonly string[];
  /** SQL of what tells a row `t` from others, where several have the same id. */
  key?: string;
  /** Properties that name another resource: where the bundle does not hold that, they are left out. */
  links?: readonly (keyof T & string)[];
  /** Of these, what is there only once everything is. */
  late?: Readonly<Partial<Record<keyof T & string, LateLink>>>;
  /** Lists of ids of other resources, which are none of the row: each stands in a table of its own. */
  linked?: Readonly<Record<string, LinkTable>>;
  /** The property that names the resource of the family that one stands below: it is among the `children` of that. */
  parent?: keyof T & string;
  content?: BundleContent<T, keyof T & string>;
  /** The option without which it is left out. */
  option?: BundleOption;
  /** SQL that holds for a row `t` that is exported; absent, all are. */
  where?: string;
  /** What makes of another form of a property, which bundles have that were written otherwise, the one of the body. */
  forms?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Properties with texts that are made anew. */
  made?: Readonly<Partial<Record<keyof T & string, MadeText>>>;
  /** Columns of a new row that one which takes the place of another leaves as they are: a bundle has nothing of them. */
  newOnly?: readonly (keyof T & string)[];
  /** Whether an application always keeps its own, as that is more than what a bundle has of it. */
  neverReplaced?: true;
  /** The columns of a new row of a validated body, beside its id, its dates and its application; 400 where a rule refuses it. */
  row(body: Body, place: NewRow): Changes<T>;
}

/** What bundles hold of a family, for what reads and writes bundles. */
export interface Bundled<T extends Resource = Resource, Body extends object = object> extends Omit<
  BundledFacts<T, Body>,
  | 'also'
  | 'without'
  | 'named'
  | 'identity'
  | 'known'
  | 'links'
  | 'late'
  | 'parent'
  | 'content'
  | 'made'
  | 'newOnly'
> {
  named: string;
  identity: readonly string[];
  links?: readonly string[];
  late?: Readonly<Partial<Record<string, LateLink>>>;
  parent?: string;
  content?: BundleContent<T>;
  made?: Readonly<Partial<Record<string, MadeText>>>;
  newOnly?: readonly string[];
  /** The properties that a new row has of a resource in a bundle, beside those of the body. */
  also: readonly string[];
  /** Properties of the body that are passed over where a bundle has them. */
  without: readonly string[];
  /** All properties that a bundle has of a resource, beside `id`, `children`, `localFilename` and `exportHash`. */
  fields: readonly string[];
  /** How rows are read. */
  shape: RowShape<T>;
}

/** Declares what bundles hold of a family. A property that no row has fails at load. */
export function bundled<T extends Resource, Body extends object>(
  facts: BundledFacts<T, Body>,
): Bundled<T, Body> {
  const { also = [], without = [], named = 'name', identity = [], known = [], ...rest } = facts;
  const { resourceType, holding, made = {}, content, parent } = rest;
  const text = typeof content?.kind === 'object' ? content.kind.text : undefined;
  const { linked = {} } = rest;
  const lists = Object.entries(linked).map(([property, table]) => linkedIds(property, table));
  // What is computed for a bundle takes the place of what answers show.
  const own = [...known, ...lists];
  const shown = (holding.computed ?? []).filter(
    (each) => !own.some(({ property }) => property === each.property),
  );
  const computed = [...shown, ...own];
  const stored = fieldsOf(holding.type).filter(({ property, source }) => source ?? property === 'id');
  const there = new Set([...stored, ...computed].map(({ property }) => property));
  const others: string[] = [...also, ...Object.keys(made)];
  for (const property of [...others, named])
    if (!there.has(property)) throw new Error(`${resourceType}: rows have no ${property}`);
  const left = new Set<string | undefined>([...without, parent, text]);
  const taken = bodyProperties(facts.post).filter((property) => there.has(property) && !left.has(property));
  const fields = [...new Set([...taken, ...others])];
  const read = [...fields, named, ...known.map(({ property }) => property), ...(text ? [text] : [])];
  const shape = new RowShape<T>(holding.type, computed, new Set(['id', ...read]));
  const kept = others.filter((property) => !known.some((each) => each.property === property));
  return { ...rest, named, identity, also: kept, without, fields, shape };
}

/** All ids that a row `t` is linked with, as JSON; the table is one that a declaration names. */
const linkedIds = (property: string, { table, own, other, within }: LinkTable): Computed => ({
  property,
  kind: 'json',
  sql: `coalesce((SELECT json_agg(l.${other} ORDER BY l.${other}) FROM ${table} l
    WHERE l.${own} = t.id${within ? ` AND l.${within} = t.${within}` : ''}), '[]')`,
});

/** The documented properties of a body, also of one that is put together of others. */
function bodyProperties(body: Type): string[] {
  const noted: unknown = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, body.prototype as object);
  // Each with a colon before it.
  return ((noted as string[] | undefined) ?? []).map((name) => name.slice(1));
}
