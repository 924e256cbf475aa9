import type { DynamicModule, Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Bundled } from './bundles/bundled.js';
import type { CountedRows } from './counts/count-triggers.js';
import type { FrozenRows } from './holdings/frozen.js';
import type { Holding } from './holdings/holding.js';
import type { JobDefinition } from './jobs/job-definition.js';
import type { RecentKinds } from './recent/recent-kinds.js';

/** A module of a family. `on` returns it for a configuration, if its providers depend on that. */
export type FamilyModule = Type & { on?(config: Config): DynamicModule };

/** Groups of tags in the API document, in its order. */
export const TAG_GROUPS = [
  'Account',
  'Organizations',
  'Applications',
  'Workflows',
  'Devices',
  'Data',
  'Keys and certificates',
  'Experience',
  'Instances',
] as const;

/** The tag of a family in the API document. */
export interface Tag {
  /** Name of the family in camel case; generators name files and classes after it. */
  name: string;
  /** Name for people. */
  title: string;
  group: (typeof TAG_GROUPS)[number];
  /** Resources whose operations have the tag: the part of their names before the dot. */
  resources: readonly string[];
  description: string;
  /** Tag that it follows in the document, if that is not the one declared before it. */
  after?: string;
}

/** What a resource family adds to the platform, declared once in its `….family.ts` and listed in `src/families.ts`. */
export interface Family {
  modules?: readonly FamilyModule[];
  entities?: readonly Type[];
  /** Resources that applications hold. */
  holdings?: readonly Holding[];
  /** Resources that application bundles contain. */
  bundles?: readonly Bundled[];
  /** Resources that bundles contain for each experience version. */
  keptBundles?: readonly Bundled[];
  /** Tables of holdings that bundles never contain, with the reason. */
  neverBundled?: Readonly<Record<string, string>>;
  /** Resources that experience versions store. */
  frozen?: readonly FrozenRows[];
  jobs?: readonly JobDefinition<object>[];
  recentKinds?: RecentKinds;
  /** Counts that are stored, other than those of holdings. */
  countedRows?: readonly CountedRows[];
  tag?: Tag;
}

/**
 * Returns tags in the order of the document: by group, and within a group as given, except that those with `after`
 * follow the tag that it names.
 */
export function inDocumentOrder(tags: readonly Tag[]): Tag[] {
  const withFollowers = (tag: Tag): Tag[] => [
    tag,
    ...tags.filter(({ after }) => after === tag.name).flatMap(withFollowers),
  ];
  const given = tags.filter(({ after }) => !after).flatMap(withFollowers);
  return TAG_GROUPS.flatMap((name) => given.filter(({ group }) => group === name));
}
