import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { forAjv } from '../../../src/platform/responses/contract.js';
import { referredName } from '../../../src/platform/responses/schema.js';

export type Json = Record<string, unknown>;

/** The schemas of a document, with validators and samples. */
export class Schemas {
  private readonly ajv = new Ajv({ strict: false });
  private readonly components: Json;
  private readonly validators = new WeakMap<Json, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    (addFormatsModule as unknown as (ajv: Ajv) => void)(this.ajv);
    this.components = document.components?.schemas ?? {};
    this.ajv.addSchema({ $id: 'document', components: { schemas: forAjv(this.components) } });
  }

  /** Returns a function that validates a value against `schema`. */
  validator(schema: Json): ValidateFunction {
    let validate = this.validators.get(schema);
    if (!validate) this.validators.set(schema, (validate = this.ajv.compile(forAjv(schema) as Json)));
    return validate;
  }

  /** Resolves references and the wrapper of a single `allOf`. */
  resolve(schema: Json): Json {
    if (typeof schema.$ref === 'string')
      return this.resolve(this.components[referredName(schema.$ref)] as Json);
    const [only, ...others] = (schema.allOf as Json[] | undefined) ?? [];
    if (!only || others.length) return schema;
    const { allOf: _allOf, ...beside } = schema;
    return { ...this.resolve(only), ...beside };
  }

  /** Returns the smallest value of a schema: its example, or an object with its required properties. */
  sample(given: Json): unknown {
    const schema = this.resolve(given);
    const { properties, minProperties } = schema as {
      properties?: Record<string, Json>;
      minProperties?: number;
    };
    if (properties) {
      const names =
        (schema.required as string[] | undefined) ?? Object.keys(properties).slice(0, minProperties ?? 0);
      return Object.fromEntries(names.map((name) => [name, this.sample(properties[name]!)]));
    }
    for (const value of [schema.example, schema.default, (schema.enum as unknown[] | undefined)?.[0]]) {
      if (value !== undefined) return value;
    }
    const [alternative] = (schema.oneOf ?? schema.anyOf ?? []) as Json[];
    if (alternative) return this.sample(alternative);
    if (schema.type === 'array')
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => this.sample(schema.items as Json));
    return this.plainSample(schema);
  }

  private plainSample(schema: Json): unknown {
    switch (schema.type) {
      case 'integer':
      case 'number':
        return schema.minimum ?? 1;
      case 'boolean':
        return true;
      case 'object':
        return {};
      case 'string':
        return this.sampleText(schema);
      default:
        return 'text';
    }
  }

  private sampleText(schema: Json): string {
    const validate = this.validator(schema);
    const letters = 'a'.repeat(Math.max(1, Number(schema.minLength ?? 1)));
    const found = [
      letters,
      '575ec8687ae143cd83dc4a97',
      'a@b.example',
      'https://b.example',
      '2026-06-13T04:00:00.000Z',
    ];
    const valid = found.find((text) => validate(text));
    if (valid === undefined) throw new Error(`No example for ${JSON.stringify(schema)}`);
    return valid;
  }
}
