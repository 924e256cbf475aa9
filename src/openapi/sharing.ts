import type { OpenAPIObject } from '@nestjs/swagger';
import { pascal } from '../platform/fields/enum-name.js';
import { operationsOf, type Json } from './operations.js';

/**
 * Moves parameters and `404` responses that several operations repeat to the components. Of parameters with the same
 * name, the most frequent one is shared; the others stay in their operations.
 */
export function shareRepeated(document: OpenAPIObject): void {
  const operations = operationsOf(document).map(({ operation }) => operation);
  const parameters = share(
    operations.flatMap((operation) => operation.parameters ?? []),
    ({ name, in: place }) => pascal(`${String(name)}_${String(place)}`),
  );
  const responses = share(
    operations.flatMap(({ responses: { 404: missing } }) => (missing ? [missing] : [])),
    nameOfMissing,
  );
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map(
      (parameter) => referenceTo('parameters', parameters, parameter) ?? parameter,
    );
    const missing = referenceTo('responses', responses, operation.responses[404]);
    if (missing) operation.responses[404] = missing;
  }
  document.components!.parameters = {
    ...document.components!.parameters,
    ...(Object.fromEntries(parameters.values()) as object),
  };
  document.components!.responses = {
    ...document.components!.responses,
    ...(Object.fromEntries(responses.values()) as object),
  };
}

/** Returns the parts to share by their text, with their names. */
function share(
  parts: readonly Json[],
  nameOf: (part: Json) => string | undefined,
): Map<string, [name: string, part: Json]> {
  const counted = new Map<string, { part: Json; count: number }>();
  for (const part of parts) {
    const text = JSON.stringify(part);
    counted.set(text, { part, count: (counted.get(text)?.count ?? 0) + 1 });
  }
  const named = new Map<string, [string, Json]>();
  const names = new Set<string>();
  for (const [text, { part, count }] of [...counted].sort(([, a], [, b]) => b.count - a.count)) {
    const name = nameOf(part);
    if (count === 1 || name === undefined || names.has(name)) continue;
    names.add(name);
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

/** `DeviceNotFound` for the message `Device was not found`. */
function nameOfMissing({ content }: Json): string | undefined {
  const { example } =
    (content as Record<string, { example?: { message: string } }> | undefined)?.['application/json'] ?? {};
  const [, missing] = /^([A-Za-z ]+) was not found$/.exec(example?.message ?? '') ?? [];
  return missing && `${pascal(missing)}NotFound`;
}
