import type { OpenAPIObject } from '@nestjs/swagger';
import { tags } from '../families.js';
import { TAG_GROUPS } from '../platform/families.js';

const TAG_OF_RESOURCE: ReadonlyMap<string, string> = new Map(
  tags.flatMap(({ name, resources }) => resources.map((resource) => [resource, name])),
);

/**
 * Replaces the resource of each operation by the tag of its family, and lists the tags in groups. A resource without a
 * family keeps its name, which a document rule refuses.
 */
export function documentTags(document: OpenAPIObject, operations: readonly { tags: string[] }[]): void {
  for (const operation of operations)
    operation.tags = operation.tags.map((resource) => TAG_OF_RESOURCE.get(resource) ?? resource);
  const used = new Set(operations.flatMap((operation) => operation.tags));
  const shown = tags.filter(({ name }) => used.has(name));
  const groups = TAG_GROUPS.map((name) => ({
    name,
    tags: shown.filter(({ group }) => group === name).map((tag) => tag.name),
  }));
  document.tags = shown.map(({ name, title, description }) => ({
    name,
    description,
    'x-displayName': title,
  }));
  Object.assign(document, { 'x-tagGroups': groups.filter((group) => group.tags.length > 0) });
}
