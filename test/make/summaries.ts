import type { OpenAPIObject } from '@nestjs/swagger';

/** Returns the counts that a response contains by default according to the document: 0, except those given. */
export function usualCounts(document: OpenAPIObject, schema: string, more: object = {}): object {
  const { properties } = document.components!.schemas![schema] as {
    properties: Record<string, { type?: string }>;
  };
  const counts = Object.keys(properties).filter((name) => properties[name]!.type === 'integer');
  return { ...Object.fromEntries(counts.map((name) => [name, 0])), ...more };
}
