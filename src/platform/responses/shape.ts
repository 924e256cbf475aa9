import { alternativesOf, othersOf, referredName } from './schema.js';

type Json = Record<string, unknown>;

/** Documented part of a value; `all` if the schema does not restrict members. */
export type Shape = 'all' | ClosedShape;

export interface ClosedShape {
  /** Documented members of an object. */
  members?: ReadonlyMap<string, Member>;
  /** Members with other names; `undefined` if they are omitted. */
  others?: Member;
  /** Shape of each item of a list. */
  items?: Shape;
  /** Whether secrets are removed from the documented part. */
  withoutSecrets?: true;
}

export interface Member {
  shape: Shape;
  /** Whether `null` is kept; otherwise the member is omitted. */
  nullable: boolean;
}

/** Minimum role to which a property is returned. Callers with read-only access do not see it. */
export const MIN_READER_ROLE = 'x-shown-from';
/** Minimum role to which secrets in a free-form value are returned. */
export const MIN_SECRETS_ROLE = 'x-secrets-from';

/** Returns whether the visible part of a schema depends on the permissions of the caller. */
export function isGuarded(schema: Json, components: Json): boolean {
  return mentions(schema, components, new Set());
}

/**
 * Returns the shape of values with this schema in responses or, with `reading`, in responses to callers with read-only
 * access. For alternatives, it is the union of their shapes.
 */
export function shapeOf(schema: Json, components: Json, reading = false): Shape {
  return shapeOfAll([schema], components, [], reading);
}

function shapeOfAll(
  given: readonly Json[],
  components: Json,
  above: readonly Json[],
  reading: boolean,
): Shape {
  const schemas = given.flatMap((schema) => alternativesOf(schema, components));
  if (schemas.some((schema) => above.includes(schema)))
    throw new Error('A schema of a response refers to itself');
  const below = [...above, ...schemas];
  const memberOf = (of: readonly Json[]): Member => ({
    shape: shapeOfAll(of, components, below, reading),
    nullable: of.some((schema) =>
      alternativesOf(schema, components).some(({ nullable }) => nullable === true),
    ),
  });
  const items = schemas.map((schema) => schema.items).filter(isSchema);
  const objects = schemas.filter(isObject);
  const shape: ClosedShape = {
    ...(objects.length ? membersOf(objects, memberOf, reading) : {}),
    ...(items.length ? { items: shapeOfAll(items, components, below, reading) } : {}),
    ...(reading && schemas.some((schema) => MIN_SECRETS_ROLE in schema) ? { withoutSecrets: true } : {}),
  };
  const closed =
    shape.withoutSecrets ||
    shape.members !== undefined ||
    (shape.items !== undefined && shape.items !== 'all');
  return closed ? shape : 'all';
}

/** Returns the documented members of an object. An alternative that allows any object includes all members. */
function membersOf(
  objects: readonly Json[],
  memberOf: (of: readonly Json[]) => Member,
  reading: boolean,
): Pick<ClosedShape, 'members' | 'others'> {
  const isOpen = (schema: Json) => othersOf(schema) === true || !(schema.properties ?? othersOf(schema));
  if (objects.some(isOpen)) return {};
  const properties = objects.flatMap((schema) =>
    Object.entries((schema.properties ?? {}) as Record<string, Json>),
  );
  const shown = properties.filter(
    ([, { writeOnly, [MIN_READER_ROLE]: from }]) => writeOnly !== true && !(reading && from !== undefined),
  );
  const others = objects.map(othersOf).filter(isSchema);
  return {
    members: new Map(
      shown.map(([name]) => [name, memberOf(shown.filter(([other]) => other === name).map(([, of]) => of))]),
    ),
    ...(others.length ? { others: memberOf(others) } : {}),
  };
}

/** A schema whose parts declare the members does not allow any object. */
function isObject({ type, properties, allOf, anyOf, oneOf }: Json): boolean {
  return properties !== undefined || (type === 'object' && !(allOf ?? anyOf ?? oneOf));
}

function mentions(node: unknown, components: Json, known: Set<unknown>): boolean {
  if (typeof node !== 'object' || node === null || known.has(node)) return false;
  known.add(node);
  if (MIN_READER_ROLE in node || MIN_SECRETS_ROLE in node) return true;
  const { $ref, ...members } = node as Json;
  const target = typeof $ref === 'string' ? [components[referredName($ref)]] : [];
  return [...target, ...Object.values(members)].some((member) => mentions(member, components, known));
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;
