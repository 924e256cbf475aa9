import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import type { SecretBox } from '../../lib/crypto/secrets.js';
import type { Certificates } from '../certificates/certificates.js';
import type { Changes } from '../database/changes.js';
import { RowShape, type Computed } from '../database/row-shape.js';
import { fieldsOf } from '../fields/fields.js';
import type { Holding } from '../holdings/holding.js';
import type { Resource } from '../repositories/resource.js';

/** Injection token of the bundled resource families. */
export const BUNDLES = Symbol('bundles');

/**
 * Injection token of the families that bundles contain for each experience version, in addition to the development
 * version.
 */
export const VERSION_BUNDLES = Symbol('kept bundles');

/** Content that an export only includes on request. */
export const BUNDLE_OPTIONS = [
  'includeFiles',
  'includePrivateFiles',
  'includeDataTableRows',
  'includeDevices',
] as const;
export type BundleOption = (typeof BUNDLE_OPTIONS)[number];

/**
 * Location of the resources of a family, as paths without `.yaml`: in one file, or in a file per resource. Resources of
 * the same file are read sequentially.
 */
export type BundleLocation<T> = { file(resource: T): string } | { each(resource: T): string };

/** A file next to the resource that holds content that is too large for it or not text. */
export interface BundleContent<T, Property extends string = string> {
  /** A text property of the resource, the rows of a data table, or the blob of a file. */
  kind: { text: Property } | 'rows' | 'blob';
  /** Path without the extension; `undefined` if the resource has no such content. */
  path(resource: T): string | undefined;
  ending: string;
  /** Option without which the content is left out. */
  option?: BundleOption;
}

/** A text that is unique on the platform and regenerated on import, such as the token of a webhook. */
export interface GeneratedText {
  /** Word used in its placeholders. */
  placeholderWord: string;
  generate(): string;
}

/** A link table with pairs of IDs: a resource and the resource to which it is linked. */
export interface LinkTable {
  table: string;
  /** Columns of the resource itself, and of the linked resource. */
  own: string;
  other: string;
  /** Table of the linked resources. */
  others: string;
  /** Column that is part of the resource's key in addition to the ID; the link table has it, too. */
  sharedColumn?: string;
}

/** A referenced resource that may be created after the referencing one. */
export interface DeferredLink {
  /** Table of the referenced resource. */
  others: string;
  /** Column of the referenced resource that refers back. */
  backReference?: string;
}

/** Context in which a new row is created. */
export interface NewRow {
  id: string;
  applicationId: string;
  ownerId: string;
  /** For resources of an experience version: that version. */
  version?: { id: string; name: string };
  /** Encrypts secrets in the row. Exported bundles contain none, but others may have added some. */
  secrets: SecretBox;
  certificates: Certificates;
  /** The first level of the platform's own topics. */
  topicPrefix: string;
}

/**
 * How bundles store a family of resources, declared once next to its holding. `Body` is the class that validates it:
 * the body of a POST.
 */
export interface BundleDefinition<T extends Resource, Body extends object> {
  holding: Holding<T>;
  /** Resource type as it appears in the files. */
  resourceType: string;
  /** Word used in the placeholders of its IDs: `~exportplaceholderid-<word>-<name>~`. */
  placeholderWord: string;
  place: BundleLocation<T>;
  /**
   * Body whose properties a bundle contains, provided that rows have them. Rows do not expose secrets, so bundles
   * contain none.
   */
  post: Type<Body>;
  /** Properties that a bundle contains in addition to those of the body. */
  additional?: readonly string[];
  /** Properties of the body that bundles do not contain. */
  omitted?: readonly (keyof Body & string)[];
  /** Property from which placeholders take their name; `name` by default. */
  nameProperty?: keyof T & string;
  /** Properties that, besides the name, identify the resource in its application, such as the workflow of a version. */
  identity?: readonly (keyof T & string)[];
  /**
   * Additional properties of a row that `place` and `content` need, with their SQL if the holding does not select them.
   */
  computed?: readonly Computed[];
  /** SQL over a row `t` by which rows are sorted before their names. */
  order?: readonly string[];
  /** SQL that identifies a row `t` if several rows have the same ID. */
  key?: string;
  /** Properties that refer to another resource. They are left out if the bundle does not contain that resource. */
  links?: readonly (keyof T & string)[];
  /** Links whose targets only exist after everything has been created. */
  deferred?: Readonly<Partial<Record<keyof T & string, DeferredLink>>>;
  /** Lists of IDs of other resources that are stored in link tables rather than in the row. */
  linked?: Readonly<Record<string, LinkTable>>;
  /**
   * Property that refers to the parent resource of the same family; the resource is listed in the `children` of its
   * parent.
   */
  parent?: keyof T & string;
  content?: BundleContent<T, keyof T & string>;
  /** Option without which the family is left out. */
  option?: BundleOption;
  /** SQL condition on a row `t` to be exported; absent to export all rows. */
  where?: string;
  /**
   * Converters for properties that bundles from other sources contain in another form. They return the form of the
   * body.
   */
  converters?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Properties whose texts are regenerated on import. */
  generated?: Readonly<Partial<Record<keyof T & string, GeneratedText>>>;
  /**
   * Columns that are set on new rows only and kept when an import replaces a row: a bundle does not contain their
   * content.
   */
  newOnly?: readonly (keyof T & string)[];
  /** Whether a replaced row loses the content of its `newOnly` columns, because it does not fit the new row. */
  resets?(before: T, row: Changes<T>): boolean;
  /** Whether an application always keeps its own resources, because they hold more than a bundle contains. */
  neverReplaced?: true;
  /**
   * Returns the columns of a new row for a validated body, except its ID, dates and application. Throws a `400` error
   * if a rule is violated.
   */
  row(body: Body, place: NewRow): Changes<T> | Promise<Changes<T>>;
}

/** How bundles store a family of resources, in the form used to read and write bundles. */
export interface Bundled<T extends Resource = Resource, Body extends object = object> extends Omit<
  BundleDefinition<T, Body>,
  | 'additional'
  | 'omitted'
  | 'nameProperty'
  | 'identity'
  | 'computed'
  | 'links'
  | 'deferred'
  | 'parent'
  | 'content'
  | 'generated'
  | 'newOnly'
> {
  nameProperty: string;
  identity: readonly string[];
  links?: readonly string[];
  deferred?: Readonly<Partial<Record<string, DeferredLink>>>;
  parent?: string;
  content?: BundleContent<T>;
  generated?: Readonly<Partial<Record<string, GeneratedText>>>;
  newOnly?: readonly string[];
  /** Properties of a bundled resource that a new row takes in addition to those of the body. */
  additional: readonly string[];
  /** Properties of the body that are ignored in bundles. */
  omitted: readonly string[];
  /** All properties of a resource in a bundle, except `id`, `children`, `localFilename` and `exportHash`. */
  fields: readonly string[];
  /** Shape with which rows are read. */
  shape: RowShape<T>;
}

/** Declares how bundles store a family of resources. Throws at load time for a property that rows do not have. */
export function bundled<T extends Resource, Body extends object>(
  facts: BundleDefinition<T, Body>,
): Bundled<T, Body> {
  const {
    additional = [],
    omitted = [],
    nameProperty = 'name',
    identity = [],
    computed: known = [],
    ...rest
  } = facts;
  const { resourceType, holding, generated = {}, content, parent } = rest;
  const text = typeof content?.kind === 'object' ? content.kind.text : undefined;
  const { linked = {} } = rest;
  const lists = Object.entries(linked).map(([property, table]) => linkedIds(property, table));
  // Values computed for bundles override those computed for responses.
  const own = [...known, ...lists];
  const shown = (holding.computed ?? []).filter(
    (each) => !own.some(({ property }) => property === each.property),
  );
  const computed = [...shown, ...own];
  const stored = fieldsOf(holding.type).filter(({ property, source }) => source ?? property === 'id');
  const there = new Set([...stored, ...computed].map(({ property }) => property));
  const others: string[] = [...additional, ...Object.keys(generated)];
  for (const property of [...others, nameProperty])
    if (!there.has(property)) throw new Error(`${resourceType}: rows have no property ${property}`);
  const left = new Set<string | undefined>([...omitted, parent, text]);
  const taken = bodyProperties(facts.post).filter((property) => there.has(property) && !left.has(property));
  const fields = [...new Set([...taken, ...others])];
  const read = [...fields, nameProperty, ...known.map(({ property }) => property), ...(text ? [text] : [])];
  const shape = new RowShape<T>(holding.type, computed, new Set(['id', ...read]));
  const kept = others.filter((property) => !known.some((each) => each.property === property));
  return { ...rest, nameProperty, identity, additional: kept, omitted, fields, shape };
}

/** Computes all IDs that are linked to a row `t`, as JSON, from the declared link table. */
const linkedIds = (property: string, { table, own, other, sharedColumn }: LinkTable): Computed => ({
  property,
  kind: 'json',
  sql: `coalesce((SELECT json_agg(l.${other} ORDER BY l.${other}) FROM ${table} l
    WHERE l.${own} = t.id${sharedColumn ? ` AND l.${sharedColumn} = t.${sharedColumn}` : ''}), '[]')`,
});

/** Returns the documented properties of a body, including a composed one. */
function bodyProperties(body: Type): string[] {
  const noted: unknown = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, body.prototype as object);
  // Each name is prefixed with a colon.
  return ((noted as string[] | undefined) ?? []).map((name) => name.slice(1));
}
