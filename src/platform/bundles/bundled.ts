import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import type { SecretBox } from '../crypto/secrets.js';
import type { Changes } from '../database/changes.js';
import { RowShape } from '../database/row-shape.js';
import { fieldsOf } from '../fields.js';
import type { Holding } from '../holdings/holding.js';
import type { Resource } from '../resource.js';

/** What whoever asks for an export has to ask for, or it is left out. */
export const BUNDLE_OPTIONS = [
  'includeFiles',
  'includePrivateFiles',
  'includeDataTableRows',
  'includeDevices',
] as const;
export type BundleOption = (typeof BUNDLE_OPTIONS)[number];

/** Where the resources of a family stand: in one file, or in a folder that has a file for each, named like the resource. */
export type BundlePlace<T> = { file: string } | { folder: string | ((resource: Partial<T>) => string) };

/** A text of a resource that is unique on the platform and made anew where it is imported, such as the token of a webhook. */
export interface MadeText {
  /** What stands in its placeholders. */
  word: string;
  make(): string;
}

/** What a new row is for. */
export interface NewRow {
  id: string;
  applicationId: string;
  /** Seals what is secret in it: others may have put into a bundle what none of ours has. */
  secrets: SecretBox;
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
  also?: readonly (keyof T & string)[];
  /** Properties of the body that no bundle has. */
  without?: readonly (keyof Body & string)[];
  /** The property that placeholders and files are named by; `name` where it is absent. */
  named?: keyof T & string;
  /** The option without which it is left out. */
  option?: BundleOption;
  /** SQL that holds for a row `t` that is exported; absent, all are. */
  where?: string;
  /** Properties with texts that are made anew. */
  made?: Readonly<Partial<Record<keyof T & string, MadeText>>>;
  /** The columns of a new row of a validated body, beside its id, its dates and its application; 400 where a rule refuses it. */
  row(body: Body, place: NewRow): Changes<T>;
}

/** What bundles hold of a family, for what reads and writes bundles. */
export interface Bundled<T extends Resource = Resource, Body extends object = object> extends Omit<
  BundledFacts<T, Body>,
  'also' | 'without' | 'named'
> {
  named: string;
  /** The properties that a bundle has of a resource, beside its `id`, its `exportHash` and the names of its files. */
  fields: readonly string[];
  /** How rows are read, `id` first. */
  shape: RowShape<T>;
}

/** Declares what bundles hold of a family. A property that is neither in rows nor in bodies fails at load. */
export function bundled<T extends Resource, Body extends object>(
  facts: BundledFacts<T, Body>,
): Bundled<T, Body> {
  const { also = [], without = [], named = 'name', ...rest } = facts;
  const { type, computed = [] } = facts.holding;
  const rows = fieldsOf(type);
  const left = new Set<string>(without);
  const own = bodyProperties(facts.post).filter((property) => !left.has(property));
  const wanted = new Set<string>([...own, ...also, ...Object.keys(facts.made ?? {})]);
  const isThere = (property: string) =>
    rows.some((row) => row.property === property && row.source !== undefined) ||
    computed.some((each) => each.property === property);
  for (const property of [...also, named])
    if (!isThere(property)) throw new Error(`${facts.resourceType}: rows have no ${property}`);
  const fields = rows.map(({ property }) => property).filter((p) => wanted.has(p) && isThere(p));
  const shape = new RowShape<T>(type, computed, new Set(['id', ...fields]));
  return { ...rest, named, fields, shape };
}

/** The documented properties of a body, also of one that is put together of others. */
function bodyProperties(body: Type): string[] {
  const noted: unknown = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, body.prototype as object);
  // Each with a colon before it.
  return ((noted as string[] | undefined) ?? []).map((name) => name.slice(1));
}
