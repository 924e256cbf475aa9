import type { OpenAPIObject } from '@nestjs/swagger';
import { pascal } from '../platform/fields/enum-name.js';
import { operationsOf, type Json, type Operation } from './operations.js';

/**
 * Moves parameters and error responses that several operations repeat to the components. Of parameters with the same
 * name, the most frequent one is shared; the others stay in their operations.
 */
export function shareRepeated(document: OpenAPIObject): void {
  const components = document.components!;
  const operations = operationsOf(document).map(({ operation }) => operation);
  const parameters = share(
    operations.flatMap((operation) => operation.parameters ?? []),
    ({ name, in: place }) => [pascal(`${String(name)}_${String(place)}`)],
    new Set(Object.keys(components.parameters ?? {})),
  );
  const responses = share(
    operations.flatMap((operation) => errorsOf(operation).map(([, error]) => error)),
    errorNames,
    new Set(Object.keys(components.responses ?? {})),
  );
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map(
      (parameter) => referenceTo('parameters', parameters, parameter) ?? parameter,
    );
    for (const [status, error] of errorsOf(operation))
      operation.responses[status] = referenceTo('responses', responses, error) ?? error;
  }
  components.parameters = {
    ...components.parameters,
    ...(Object.fromEntries(parameters.values()) as object),
  };
  components.responses = {
    ...components.responses,
    ...(Object.fromEntries(responses.values()) as object),
  };
}

/** Returns the error responses of an operation by status, except those that it refers to. */
const errorsOf = ({ responses }: Operation): [status: string, error: Json][] =>
  Object.entries(responses).filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined);

/** Returns the parts to share by their text, with the first of their possible names that is not in `taken`. */
function share(
  parts: readonly Json[],
  namesOf: (part: Json) => readonly string[],
  taken: Set<string>,
): Map<string, [name: string, part: Json]> {
  const counted = new Map<string, { part: Json; count: number }>();
  for (const part of parts) {
    const text = JSON.stringify(part);
    counted.set(text, { part, count: (counted.get(text)?.count ?? 0) + 1 });
  }
  const named = new Map<string, [string, Json]>();
  for (const [text, { part, count }] of [...counted].sort(([, a], [, b]) => b.count - a.count)) {
    const name = count > 1 ? namesOf(part).find((each) => !taken.has(each)) : undefined;
    if (name === undefined) continue;
    taken.add(name);
    named.set(text, [name, part]);
  }
  return named;
}

function referenceTo(
  kind: string,
  shared: ReadonlyMap<string, [name: string, part: Json]>,
  part?: Json,
): Json | undefined {
  const [name] = shared.get(JSON.stringify(part)) ?? [];
  return name === undefined ? undefined : { $ref: `#/components/${kind}/${name}` };
}

/**
 * Returns possible names of an error by its message: `DeviceNotFound` for `Device was not found`, `InvalidFileName` or
 * `FileNameIsRequired` for `file.name is required`.
 */
function errorNames({ content }: Json): string[] {
  const { example } = (content as Record<string, { example: { message: string } }>)['application/json']!;
  const [, missing] = /^([A-Za-z, ]+) was not found$/.exec(example.message) ?? [];
  if (missing) return [pascal(`${missing} not found`)];
  const [clause = ''] = example.message.replace(/^The /, '').split(/[,;:]|\. /);
  const [, field] = /^([a-z][\w.]*) /.exec(example.message) ?? [];
  return [...(field ? [pascal(`invalid ${field}`)] : []), pascal(clause)];
}
