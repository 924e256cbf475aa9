// Lists the breaking changes since the last release, and fails if CHANGELOG.md does not name them.
import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { breakingChanges } from './breaking-changes.js';
import { unexplained } from './changelog.js';

const documentIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;

const changes = breakingChanges(documentIn('openapi/released.json'), documentIn('openapi/openapi.json'));
const missing = new Set(unexplained(changes, readFileSync('CHANGELOG.md', 'utf8')));
for (const change of changes)
  console.log(`${missing.has(change) ? 'NOT IN THE CHANGELOG ' : ''}${change.subject}: ${change.change}`);
console.log(
  `${changes.length} breaking changes since the last release, ${missing.size} not in the changelog`,
);
if (missing.size > 0) {
  console.log('Name each operation or component under "Breaking" in the unreleased part of CHANGELOG.md');
  process.exitCode = 1;
}
