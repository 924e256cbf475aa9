import { alternativesOf } from './schema.js';

type Json = Record<string, unknown>;

/** What a schema documents of a value; `all` of it where it says nothing of members that there may be. */
export type Shape = 'all' | ClosedShape;

export interface ClosedShape {
  /** The members of an object that are shown. */
  members?: ReadonlyMap<string, Member>;
  /** Those of any other name; absent where they are not shown. */
  others?: Member;
  /** What is shown of each item of a list. */
  items?: Shape;
  /** Of what is shown, secrets are not. */
  withoutSecrets?: true;
}

export interface Member {
  shape: Shape;
  /** Whether `null` stands for it, where it otherwise is left out. */
  nullable: boolean;
}

/** Of a property: the role from which it is shown. Whoever only reads does not see it. */
export const SHOWN_FROM = 'x-shown-from';
/** Of a free-form value: the role from which the secrets in it are shown. */
export const SECRETS_FROM = 'x-secrets-from';

/** Whether what a schema shows depends on who looks. */
export function isGuarded(schema: Json, components: Json): boolean {
  return mentions(schema, components, new Set());
}

/**
 * What of a value an answer shows that has this schema, or shows those who only read. Of alternatives it is what any of
 * them shows.
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
    throw new Error('A schema of an answer refers to itself');
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
    ...(reading && schemas.some((schema) => SECRETS_FROM in schema) ? { withoutSecrets: true } : {}),
  };
  const closed =
    shape.withoutSecrets ||
    shape.members !== undefined ||
    (shape.items !== undefined && shape.items !== 'all');
  return closed ? shape : 'all';
}

/** What is shown of an object; an alternative that is any object shows all. */
function membersOf(
  objects: readonly Json[],
  memberOf: (of: readonly Json[]) => Member,
  reading: boolean,
): Pick<ClosedShape, 'members' | 'others'> {
  if (
    objects.some(({ properties, additionalProperties: others }) => others === true || !(properties ?? others))
  )
    return {};
  const properties = objects.flatMap((schema) =>
    Object.entries((schema.properties ?? {}) as Record<string, Json>),
  );
  const shown = properties.filter(
    ([, { writeOnly, [SHOWN_FROM]: from }]) => writeOnly !== true && !(reading && from !== undefined),
  );
  const others = objects.map(({ additionalProperties }) => additionalProperties).filter(isSchema);
  return {
    members: new Map(
      shown.map(([name]) => [name, memberOf(shown.filter(([other]) => other === name).map(([, of]) => of))]),
    ),
    ...(others.length ? { others: memberOf(others) } : {}),
  };
}

/** A schema that has its members in its parts is not one of any object. */
function isObject({ type, properties, allOf, anyOf, oneOf }: Json): boolean {
  return properties !== undefined || (type === 'object' && !(allOf ?? anyOf ?? oneOf));
}

function mentions(node: unknown, components: Json, known: Set<unknown>): boolean {
  if (typeof node !== 'object' || node === null || known.has(node)) return false;
  known.add(node);
  if (SHOWN_FROM in node || SECRETS_FROM in node) return true;
  const { $ref, ...members } = node as Json;
  const target = typeof $ref === 'string' ? [components[$ref.split('/').pop()!]] : [];
  return [...target, ...Object.values(members)].some((member) => mentions(member, components, known));
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;
