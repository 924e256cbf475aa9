import type { OpenAPIObject } from '@nestjs/swagger';
import type { operationsOf } from '../../src/openapi/operations.js';

type Grouped = OpenAPIObject & { 'x-tagGroups'?: { name: string; tags: string[] }[] };

/** Every operation has one declared tag, and every tag is in one group. Generators and readers find operations by them. */
export function tagFaults(document: OpenAPIObject, operations: ReturnType<typeof operationsOf>): string[] {
  const tags = (document.tags ?? []).map(({ name }) => name);
  const { 'x-tagGroups': groups = [] } = document as Grouped;
  const grouped = groups.flatMap((group) => group.tags);
  return [
    ...operations.flatMap(({ operation }) =>
      operation.tags.length === 1 && tags.includes(operation.tags[0]!)
        ? []
        : [`${operation.operationId} does not have one tag of a family, but ${operation.tags.join(' and ')}`],
    ),
    ...tags
      .filter((tag) => grouped.filter((name) => name === tag).length !== 1)
      .map((tag) => `the tag ${tag} is not in one group`),
    ...grouped.filter((tag) => !tags.includes(tag)).map((tag) => `the grouped tag ${tag} is not declared`),
  ];
}
