import type { Bundled } from '../../../../platform/bundles/bundled.js';
import { DEVELOP } from '../../../experience/experience-versions/experience-version.columns.js';

const EXPERIENCE_FLOW = 'ExperienceFlowVersion';
/** Types that older files also use for experience workflows. */
const FLOWS = new Set(['Flow', 'FlowVersion']);
/** Each experience version has its own folder. */
const FOLDER = /^experience\/([^/]+)\//;
const WORKFLOW_FOLDER = /^experience\/[^/]+\/workflows\//;

/** Resource and the path of its file. */
export interface VersionedResource {
  resource: Record<string, unknown>;
  path: string;
}

/** Family and version of a resource. */
interface ResourceLocation {
  family: Bundled;
  /** Key of the experience version that contains the resource; absent for families without versions. */
  version?: string;
  resource: Record<string, unknown>;
}

/** Experience versions of a bundle and their contents. */
export class StagedVersions {
  private readonly ids = new Map<string, string>();
  /** Names of versions, keyed by folder. */
  private readonly names = new Map<string, string>();
  /** Versions that resources refer to, by name or, if they have none, by folder. */
  private readonly referenced = new Map<string, VersionedResource>();

  constructor(
    private readonly developed: readonly Bundled[],
    private readonly versionBundles: readonly Bundled[],
  ) {}

  /** Determines the family of a resource from its type and path. Returns `undefined` if the type is unknown. */
  place(resourceType: string, given: VersionedResource): ResourceLocation | undefined {
    const { path } = given;
    const isFlow = isExperienceFlow(resourceType, given);
    const type = isFlow ? EXPERIENCE_FLOW : resourceType;
    // Older files use the type of a single resource for trees.
    const types = [type, `${type}Tree`];
    const ofType = (families: readonly Bundled[]) =>
      families.find((each) => types.includes(each.resourceType));
    const [family, kept] = [ofType(this.developed), ofType(this.versionBundles)];
    const resource = isFlow
      ? { ...given.resource, flowClass: 'experience', flowId: given.resource.flowId ?? given.resource.id }
      : given.resource;
    if (!family || !kept) return family || kept ? { family: (family ?? kept)!, resource } : undefined;
    const version = resource.version ?? folderOf(path) ?? DEVELOP;
    if (version === DEVELOP)
      return { family, version, resource: isFlow ? { ...resource, id: resource.flowId } : resource };
    const label = JSON.stringify([typeof resource.version, version]);
    this.referenced.set(label, { path, resource: { version: resource.version } });
    return { family: kept, version: label, resource };
  }

  /** Records a version of the bundle. */
  add({ id, resource: { version }, path }: VersionedResource & { id: string }): void {
    if (typeof version !== 'string') return;
    const folder = folderOf(path);
    if (folder !== undefined) this.names.set(folder, version);
    if (!this.ids.has(version)) this.ids.set(version, id);
  }

  /** Returns the names of versions that have contents in the bundle but no description. */
  missingNames(): string[] {
    const names = [...this.referenced.values()].map((standing) => this.nameOf(standing));
    return [...new Set(names)].filter((name) => !this.ids.has(name));
  }

  /** Returns the version that contains a resource. */
  versionOf(standing: VersionedResource): { id: string; name: string } {
    const name = this.nameOf(standing);
    return { id: this.ids.get(name)!, name };
  }

  private nameOf({ resource: { version }, path }: VersionedResource): string {
    if (typeof version === 'string') return version;
    const folder = folderOf(path) ?? '';
    return this.names.get(folder) ?? folder;
  }
}

const folderOf = (path: string): string | undefined => FOLDER.exec(path)?.[1];

const isExperienceFlow = (resourceType: string, { resource, path }: VersionedResource): boolean =>
  resourceType === EXPERIENCE_FLOW ||
  (FLOWS.has(resourceType) && (resource.flowClass === 'experience' || WORKFLOW_FOLDER.test(path)));
