import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { isAddress } from '../../lib/mail/addresses.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { DeclaredSecrets } from './declared-secrets.js';
import { describeFaults } from '../../lib/json/schema-faults.js';
import { alternativesOf, OTHERS_EXTENSION, referredName } from './schema.js';
import { compileCopier, type Copier } from './serialize.js';
import { isGuarded } from './shape.js';

type Json = Record<string, unknown>;
interface OperationEntry {
  operationId?: string;
  requestBody?: { content?: Record<string, { schema?: Json }> };
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}

interface Copiers {
  whole: Copier;
  /** Copier for callers with read-only access, if they see less. */
  forReaders?: Copier;
}

/**
 * Enforces the document: validates request bodies and filters responses. Validators and copiers are compiled when first
 * used; components are loaded with the first schema that refers to them.
 */
export class Contract {
  private readonly operations = new Map<string, OperationEntry>();
  private readonly validators = new Map<string, ValidateFunction | null>();
  private readonly copiers = new Map<string, Copiers | null>();
  private readonly secrets = new Map<string, DeclaredSecrets | undefined>();
  private readonly components: Json;
  private readonly known = new Set<string>();
  private readonly ajv: Ajv;

  constructor(document: OpenAPIObject) {
    this.ajv = new Ajv({
      strict: false,
      allErrors: false,
      coerceTypes: false,
      useDefaults: false,
      verbose: true,
      // The test suite validates the document, so it is not repeated at each start.
      validateSchema: false,
    });
    const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;
    addFormats(this.ajv);
    this.ajv.addFormat('date-time', isInstant);
    this.ajv.addFormat('email', isAddress);
    this.components = document.components?.schemas ?? {};
    for (const item of Object.values(document.paths)) {
      for (const operation of Object.values(item as Record<string, OperationEntry>)) {
        if (operation.operationId) this.operations.set(operation.operationId, operation);
      }
    }
  }

  /** Throws a `ValidationError` that names the first invalid property; `name` is the name of the body. */
  checkBody(operation: string, name: string, body: unknown): void {
    const validate = this.validator(operation);
    if (validate && !validate(body)) throw new ValidationError(describeFaults(name, validate.errors!));
  }

  /**
   * Validates a value against a component of the document, such as `DevicePost`. Throws a `ValidationError` like
   * `checkBody`.
   */
  checkComponent(component: string, name: string, value: unknown): void {
    let validate = this.validators.get(component);
    if (!validate) {
      validate = this.ajv.compile(this.prepared({ $ref: `#/components/schemas/${component}` }));
      this.validators.set(component, validate);
    }
    if (!validate(value)) throw new ValidationError(describeFaults(name, validate.errors!));
  }

  /** Returns the names of the properties of a component. */
  propertiesOf(component: string): ReadonlySet<string> {
    const parts = alternativesOf({ $ref: `#/components/schemas/${component}` }, this.components);
    return new Set(parts.flatMap(({ properties }) => Object.keys((properties as object | undefined) ?? {})));
  }

  /** Returns the locations of secrets in the body of an operation, or `undefined` if it has none. */
  secretsOf(operation: string): DeclaredSecrets | undefined {
    if (!this.secrets.has(operation)) {
      const schema = this.bodyOf(operation);
      this.secrets.set(operation, schema && DeclaredSecrets.in(schema, this.components));
    }
    return this.secrets.get(operation);
  }

  /**
   * Returns the documented part of `value` in a response with this status, or `undefined` if nothing is documented.
   * `readsOnly` is called only if the result depends on the permissions of the caller.
   */
  copy(operation: string, status: number, value: unknown, readsOnly: () => boolean): unknown {
    const copiers = this.copier(operation, status);
    return (copiers?.forReaders && readsOnly() ? copiers.forReaders : copiers?.whole)?.(value);
  }

  /** Returns whether a response with this status is declared. */
  declares(operation: string, status: number): boolean {
    return this.operations.get(idOf(operation))?.responses[status] !== undefined;
  }

  private validator(operation: string): ValidateFunction | null {
    let validate = this.validators.get(operation);
    if (validate === undefined) {
      const schema = this.bodyOf(operation);
      validate = schema ? this.ajv.compile(this.prepared(schema)) : null;
      this.validators.set(operation, validate);
    }
    return validate;
  }

  private bodyOf(operation: string): Json | undefined {
    return this.operations.get(idOf(operation))?.requestBody?.content?.['application/json']?.schema;
  }

  /** Converts a schema for Ajv and registers the components that it refers to. */
  private prepared(schema: Json): Json {
    const prepared = forAjv(schema) as Json;
    for (const reference of referencesIn(prepared)) {
      if (this.known.has(reference)) continue;
      this.known.add(reference);
      const component = this.components[referredName(reference)] as Json;
      this.ajv.addSchema(this.prepared(component), reference);
    }
    return prepared;
  }

  private copiersOf(schema: Json): Copiers {
    const { components } = this;
    return {
      whole: compileCopier(schema, components),
      forReaders: isGuarded(schema, components) ? compileCopier(schema, components, true) : undefined,
    };
  }

  private copier(operation: string, status: number): Copiers | null {
    const key = `${operation} ${status}`;
    let copier = this.copiers.get(key);
    if (copier === undefined) {
      const schema = this.operations.get(idOf(operation))?.responses[status]?.content?.['application/json']
        ?.schema;
      copier = schema ? this.copiersOf(schema) : null;
      this.copiers.set(key, copier);
    }
    return copier;
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const MIN_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const MAX_INSTANT = Date.parse('9999-12-31T23:59:59Z');

/**
 * Whether the text is a time with a zone that is also within the years 1 to 9999 in UTC, as it is stored and returned.
 */
function isInstant(text: string): boolean {
  const day = text.slice(0, 10);
  const time = INSTANT.test(text) ? Date.parse(text) : NaN;
  // Date.parse accepts February 30 and returns March 2.
  return time >= MIN_INSTANT && time <= MAX_INSTANT && new Date(day).toISOString().startsWith(day);
}

const idOf = (operation: string) => operation.replace('.', '_');

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [value as string] : referencesIn(value),
  );
}

/**
 * Converts `nullable` of OpenAPI 3.0, and the extension for other properties, to JSON Schema. References point into the
 * document.
 */
export function forAjv(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forAjv);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, example: _example, [OTHERS_EXTENSION]: others, ...rest } = node as Json;
  if (others !== undefined) rest.additionalProperties = others;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref' ? `document${value as string}` : forAjv(value),
    ]),
  );
  return nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema;
}
