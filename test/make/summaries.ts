import type { OpenAPIObject } from '@nestjs/swagger';

/** Counts of a summary by the document, which responses contain by default. All are 0 except the given ones. */
export function usualCounts(document: OpenAPIObject, schema: string, more: object = {}): object {
  const { properties } = document.components!.schemas![schema] as {
    properties: Record<string, { type?: string }>;
  };
  const counts = Object.keys(properties).filter((name) => properties[name]!.type === 'integer');
  return { ...Object.fromEntries(counts.map((name) => [name, 0])), ...more };
}
