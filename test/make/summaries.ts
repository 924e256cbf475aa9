import type { OpenAPIObject } from '@nestjs/swagger';

/** The counts of a summary by the document, which an answer has where nothing else is asked for; 0 but for those given. */
export function usualCounts(document: OpenAPIObject, schema: string, more: object = {}): object {
  const { properties } = document.components!.schemas![schema] as {
    properties: Record<string, { type?: string }>;
  };
  const counts = Object.keys(properties).filter((name) => properties[name]!.type === 'integer');
  return { ...Object.fromEntries(counts.map((name) => [name, 0])), ...more };
}
