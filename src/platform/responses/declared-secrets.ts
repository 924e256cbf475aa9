import { alternativesOf, othersOf, referredName } from './schema.js';

type Json = Record<string, unknown>;

/** Locations of the secrets in a value, according to the document. */
export class DeclaredSecrets {
  private constructor(
    private readonly schemas: readonly Json[],
    private readonly components: Json,
  ) {}

  /** Returns the secrets in values of this schema, or `undefined` if there can be none. */
  static in(schema: Json, components: Json): DeclaredSecrets | undefined {
    return reaches(schema, components, new Set()) ? DeclaredSecrets.of([schema], components) : undefined;
  }

  private static of(schemas: readonly Json[], components: Json): DeclaredSecrets {
    return new DeclaredSecrets(
      schemas.flatMap((schema) => alternativesOf(schema, components)),
      components,
    );
  }

  /** Whether the whole value is a secret. */
  get secret(): boolean {
    return this.schemas.some(isSecret);
  }

  member(name: string): DeclaredSecrets {
    return this.below((schema) =>
      schema.properties && Object.hasOwn(schema.properties, name)
        ? (schema.properties as Json)[name]
        : othersOf(schema),
    );
  }

  item(): DeclaredSecrets {
    return this.below(({ items }) => items);
  }

  private below(choose: (schema: Json) => unknown): DeclaredSecrets {
    return DeclaredSecrets.of(this.schemas.map(choose).filter(isSchema), this.components);
  }
}

/** Detects fields with `secret: true`: text has the format `password`; other values are `writeOnly`. */
const isSecret = ({ format, writeOnly }: Json): boolean => format === 'password' || writeOnly === true;

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function reaches(node: unknown, components: Json, seen: Set<unknown>): boolean {
  if (!isSchema(node) || seen.has(node)) return false;
  seen.add(node);
  const { $ref } = node;
  if (typeof $ref === 'string') return reaches(components[referredName($ref)], components, seen);
  return isSecret(node) || Object.values(node).some((child) => reaches(child, components, seen));
}
