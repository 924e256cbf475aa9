import type { SecretBox } from '../../lib/crypto/secrets.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { JsonField, type JsonSchema } from '../fields/fields.js';
import { SealedColumn } from './sealed-column.js';
import {
  assertSecretsGiven,
  changedMember,
  mergeConfig,
  type Config,
  type SplitConfig,
} from './sealed-config.js';

/** Place of a configuration: the resource, or the body of a `POST` or `PATCH`. */
export type ConfigPlace = 'resource' | 'post' | 'patch';

/** Configurations of a resource, of which each row has the one of its type. */
export interface ConfigDefinition<Type extends string> {
  /** Name of the resource in error messages, such as `integration`. */
  name: string;
  /** Table of the resource. Its column `secrets_sealed` holds the secrets. */
  table: string;
  types: readonly Type[];
  /** The type in the example of the resource. */
  sampled: Type;
  /** Schema of a configuration. Its `writeOnly` properties are secret, and so are arrays of items with such a property. */
  schemaOf(type: Type, place: ConfigPlace): JsonSchema;
  /** Properties that decide where, as whom and how the secrets are sent. A change of one requires the secrets again. */
  destinationOf(type: Type): readonly string[];
}

/** A row with the configuration of its type and the sealed secrets of it. */
interface ConfiguredRow {
  id: string;
  secretsSealed: string | null;
}

/**
 * Configurations by type: the property `mqttConfig` for the type `mqtt`. Declares the properties, splits secrets from
 * them, and stores the secrets encrypted in one column.
 */
export class TypedConfigs<Type extends string> {
  /** Column with the secrets of the configuration. */
  readonly sealed: SealedColumn;

  constructor(private readonly definition: ConfigDefinition<Type>) {
    this.sealed = new SealedColumn(`${definition.table}:secrets_sealed`);
  }

  /** Declares a property for each type, after the properties of the class itself. */
  readonly Fields =
    (place: ConfigPlace): ClassDecorator =>
    ({ prototype }) => {
      for (const type of this.definition.types) {
        const schema = this.definition.schemaOf(type, place);
        const description = `${String(schema.description)} For the type \`${type}\` only.`;
        const options = {
          description,
          ...(place === 'resource' ? {} : { column: false as const }),
          ...(type === this.definition.sampled ? {} : { sampled: false as const }),
        };
        // The compiler emits this metadata for properties declared in the class.
        Reflect.defineMetadata('design:type', Object, prototype as object, `${type}Config`);
        JsonField(schema, options)(prototype as object, `${type}Config`);
      }
    };

  /** Returns the configuration of a type in a resource or body, if any. */
  of(resource: object, type: Type): Config | undefined {
    return (resource as Partial<Record<string, Config>>)[`${type}Config`];
  }

  /** Returns the types of the configurations in a body. */
  typesIn(body: object): Type[] {
    return this.definition.types.filter((type) => this.of(body, type) !== undefined);
  }

  /** Returns the configuration in a body, if any. Throws `400` for the configuration of another type. */
  given(type: Type, body: object): Config | undefined {
    const { name } = this.definition;
    const other = this.typesIn(body).find((each) => each !== type);
    const article = /^[aeiou]/.test(name) ? 'an' : 'a';
    if (other)
      throw new ValidationError(
        `${name}.${other}Config does not apply to ${article} ${name} of the type ${type}`,
      );
    return this.of(body, type);
  }

  /** Returns the configuration in a body. Throws `400` if it is missing, or for that of another type. */
  required(type: Type, body: object): Config {
    const config = this.given(type, body);
    if (!config) throw new ValidationError(`${this.definition.name}.${type}Config is required`);
    return config;
  }

  /** Returns the stored configuration of a row, with its secrets. */
  stored(type: Type, row: ConfiguredRow, box: SecretBox): SplitConfig {
    const secrets = this.sealed.openSecrets(row.id, row.secretsSealed, box);
    return { shown: this.of(row, type) ?? {}, secrets };
  }

  /**
   * Merges changes into a configuration: given properties replace existing ones, and `null` removes them. Throws `400`
   * if the destination of stored secrets changes without them.
   */
  merged(type: Type, before: SplitConfig, changes: Config): SplitConfig {
    return this.checked(type, before, changes, before.shown);
  }

  /** Replaces a configuration, except that omitted secrets are kept. Throws `400` like `merged`. */
  replaced(type: Type, before: SplitConfig, config: Config): SplitConfig {
    return this.checked(type, before, config, {});
  }

  /** Whether the secrets of a stored configuration would be sent to another destination with `after`. */
  changesDestination(type: Type, before: object, after: object): boolean {
    const [shown = {}, other = {}] = [this.of(before, type), this.of(after, type)];
    return changedMember(this.definition.destinationOf(type), shown, other) !== undefined;
  }

  /** Returns the columns that store a configuration. */
  columns(id: string, type: Type, { shown, secrets }: SplitConfig, box: SecretBox) {
    return { [`${type}Config`]: shown, secretsSealed: this.sealed.sealSecrets(id, secrets, box) };
  }

  private checked(type: Type, before: SplitConfig, given: Config, kept: Config): SplitConfig {
    const { name } = this.definition;
    const destination = this.definition.destinationOf(type);
    const after = mergeConfig({ shown: kept, secrets: before.secrets }, given, this.secretsOf(type));
    assertSecretsGiven(`${name}.${type}Config`, destination, before, after.shown, given);
    return after;
  }

  private secretsOf(type: Type): string[] {
    const { properties } = this.definition.schemaOf(type, 'post');
    return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) =>
      isSecret(schema) ? [name] : [],
    );
  }
}

function isSecret({ writeOnly, items }: JsonSchema): boolean {
  const { properties = {} } = (items ?? {}) as { properties?: Record<string, JsonSchema> };
  return writeOnly === true || Object.values(properties).some(isSecret);
}
