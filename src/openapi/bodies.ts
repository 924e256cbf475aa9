import type { Json, Operation } from './operations.js';
import { referredName } from '../platform/responses/schema.js';

/** Nest supports only named examples of bodies; converts a single one to `example`. */
export function documentBody({ requestBody }: Operation): void {
  const contents = (requestBody?.content ?? {}) as Record<
    string,
    { example?: unknown; examples?: { usual: { value: unknown } } }
  >;
  for (const body of Object.values(contents)) {
    if (!body.examples) continue;
    body.example = body.examples.usual.value;
    delete body.examples;
  }
}

/** Refers to the schemas of form fields without a wrapper, behind which generators do not see that a field is JSON. */
export function documentForm({ requestBody }: Operation, schemas: Record<string, Json>): void {
  const { $ref } = (requestBody?.content['multipart/form-data']?.schema ?? {}) as { $ref?: string };
  const { properties = {} } = ($ref ? schemas[referredName($ref)]! : {}) as {
    properties?: Record<string, Json>;
  };
  for (const [name, { allOf }] of Object.entries(properties)) {
    const [only, ...others] = (allOf ?? []) as Json[];
    if (only?.$ref && others.length === 0) properties[name] = only;
  }
}
