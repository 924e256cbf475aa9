import type { BreakingChange } from './schema-changes.js';

const UNRELEASED = /^## \[?Unreleased\]?.*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;
const BREAKING = /^### Breaking.*\n([\s\S]*?)(?=^#{2,3} |$(?![\s\S]))/m;

/**
 * Returns the changes whose operation or component is not named, in backticks, under "Breaking" in the unreleased part of
 * a changelog.
 */
export function unexplained(changes: readonly BreakingChange[], changelog: string): BreakingChange[] {
  const [, unreleased = ''] = UNRELEASED.exec(changelog) ?? [];
  const [, breaking = ''] = BREAKING.exec(unreleased) ?? [];
  const named = new Set([...breaking.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  return changes.filter(({ subject }) => !named.has(subject));
}
