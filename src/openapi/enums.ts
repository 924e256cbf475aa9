import { enumName, pascal } from '../platform/fields/enum-name.js';
import { JSON_SCHEMA_EXTENSION } from '../platform/lists/query-fields.js';
import type { Json, Operation } from './operations.js';

/** Keywords of an enum; the others describe the property that has one of its values. */
const OWN: ReadonlySet<string> = new Set(['title', 'type', 'enum']);

/** Titles the enums in schemas, so that they become components. */
export function titleEnums(schemas: Record<string, Json>): void {
  for (const name of Object.keys(schemas)) schemas[name] = withTitles(schemas[name], name, '') as Json;
}

/** Titles the enums of an operation. Those in parameters belong to its resource, or to the operation itself. */
export function titleOperationEnums(operation: Operation): void {
  const [resource = '', action = ''] = operation.operationId.split('_');
  const list = pascal(action === 'get' ? resource : operation.operationId);
  const one = pascal(resource).replace(/ies$/, 'y').replace(/s$/, '');
  for (const parameter of operation.parameters ?? []) {
    const name = String(parameter.name);
    const owner = name.endsWith('Field') ? list : one;
    for (const part of ['schema', JSON_SCHEMA_EXTENSION])
      if (parameter[part]) parameter[part] = withTitles(parameter[part], owner, name);
  }
  for (const part of ['requestBody', 'responses', 'callbacks'])
    if (operation[part]) operation[part] = withTitles(operation[part], pascal(operation.operationId), '');
}

/** Returns the node with titled enums. `owner` is the closest named schema, `property` the closest property. */
function withTitles(node: unknown, owner: string, property: string, isProperty = false): unknown {
  if (Array.isArray(node)) return node.map((entry) => withTitles(entry, owner, property));
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Json;
  if (Array.isArray(schema.enum)) return titled(schema, owner, property, isProperty);
  const within = typeof schema.title === 'string' ? schema.title : owner;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'example') return [key, value];
      if (key !== 'properties') return [key, withTitles(value, within, property)];
      const properties = Object.entries(value as Json);
      return [
        key,
        Object.fromEntries(properties.map(([name, of]) => [name, withTitles(of, within, name, true)])),
      ];
    }),
  );
}

/** Separates an enum from what describes its use. Constants remain in place, and numbers, whose names say nothing. */
function titled(schema: Json, owner: string, property: string, isProperty: boolean): Json {
  const values = schema.enum as unknown[];
  if (values.length === 1 || typeof values[0] !== 'string') return schema;
  // The description of a property is not the one of its values.
  const isDescribed = !isProperty && typeof schema.title === 'string' && schema.description !== undefined;
  const title = (schema.title as string | undefined) ?? enumName(owner, property);
  const entries = Object.entries(schema);
  const beside = entries.filter(([key]) => !OWN.has(key) && !(isDescribed && key === 'description'));
  const named = {
    ...Object.fromEntries(entries.filter(([key]) => OWN.has(key))),
    title,
    ...namesOf(values),
    description: isDescribed ? schema.description : `Possible values of the ${words(title)}.`,
  };
  return beside.length === 0 ? named : { ...Object.fromEntries(beside), allOf: [named] };
}

/** Names for values that differ only by their case, which many generators give the same name. */
function namesOf(values: readonly unknown[]): Json {
  const lower = values.map((value) => String(value).toLowerCase());
  if (new Set(lower).size === values.length) return {};
  return {
    'x-enum-varnames': values.map((value, i) => `${value === lower[i] ? '' : 'Upper'}${pascal(lower[i]!)}`),
  };
}

const words = (title: string): string => title.replace(/\B[A-Z](?=[a-z])/g, ' $&').toLowerCase();
