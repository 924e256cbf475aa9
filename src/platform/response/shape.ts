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
}

export interface Member {
  shape: Shape;
  /** Whether `null` stands for it, where it otherwise is left out. */
  nullable: boolean;
}

/** What of a value an answer shows that has this schema. Of alternatives it is what any of them shows. */
export function shapeOf(schema: Json, components: Json): Shape {
  return shapeOfAll([schema], components, []);
}

function shapeOfAll(given: readonly Json[], components: Json, above: readonly Json[]): Shape {
  const schemas = given.flatMap((schema) => alternativesOf(schema, components));
  if (schemas.some((schema) => above.includes(schema)))
    throw new Error('A schema of an answer refers to itself');
  const below = [...above, ...schemas];
  const memberOf = (of: readonly Json[]): Member => ({
    shape: shapeOfAll(of, components, below),
    nullable: of.some((schema) =>
      alternativesOf(schema, components).some(({ nullable }) => nullable === true),
    ),
  });
  const items = schemas.map((schema) => schema.items).filter(isSchema);
  const objects = schemas.filter(isObject);
  const shape: ClosedShape = {
    ...(objects.length ? membersOf(objects, memberOf) : {}),
    ...(items.length ? { items: shapeOfAll(items, components, below) } : {}),
  };
  const closed = shape.members !== undefined || (shape.items !== undefined && shape.items !== 'all');
  return closed ? shape : 'all';
}

/** What is shown of an object; an alternative that is any object shows all. */
function membersOf(
  objects: readonly Json[],
  memberOf: (of: readonly Json[]) => Member,
): Pick<ClosedShape, 'members' | 'others'> {
  if (
    objects.some(({ properties, additionalProperties: others }) => others === true || !(properties ?? others))
  )
    return {};
  const properties = objects.flatMap((schema) =>
    Object.entries((schema.properties ?? {}) as Record<string, Json>),
  );
  const shown = properties.filter(([, { writeOnly }]) => writeOnly !== true);
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

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;
