import type { Bundled } from '../../../platform/bundles/bundled.js';
import { DEVELOP } from '../../experience/experience-versions/experience-version.columns.js';

const EXPERIENCE_FLOW = 'ExperienceFlowVersion';
/** What older files call workflows of an experience, too. */
const FLOWS = new Set(['Flow', 'FlowVersion']);
/** What versions of an experience have stands in folders of theirs. */
const FOLDER = /^experience\/([^/]+)\//;
const OF_WORKFLOWS = /^experience\/[^/]+\/workflows\//;

/** A resource of a file, and where it stands. */
export interface Standing {
  resource: Record<string, unknown>;
  path: string;
}

/** What a resource of a bundle is. */
interface Placed {
  family: Bundled;
  /** What tells the version of the experience that has it from others; of what has versions alone. */
  version?: string;
  resource: Record<string, unknown>;
}

/** The versions of an experience that a bundle has, and what it has of each. */
export class StagedVersions {
  private readonly ids = new Map<string, string>();
  /** The names of versions by their folders. */
  private readonly names = new Map<string, string>();
  /** The versions that something is of: names, and folders where it does not say more. */
  private readonly meant = new Map<string, Standing>();

  constructor(
    private readonly developed: readonly Bundled[],
    private readonly kept: readonly Bundled[],
  ) {}

  /** What a resource is, by the type that its file says and where it stands; nothing where no family has it. */
  place(resourceType: string, given: Standing): Placed | undefined {
    const { path } = given;
    const isFlow = isExperienceFlow(resourceType, given);
    const type = isFlow ? EXPERIENCE_FLOW : resourceType;
    // Older files call the resources of a tree what each of them is.
    const types = [type, `${type}Tree`];
    const ofType = (families: readonly Bundled[]) =>
      families.find((each) => types.includes(each.resourceType));
    const [family, kept] = [ofType(this.developed), ofType(this.kept)];
    const resource = isFlow
      ? { ...given.resource, flowClass: 'experience', flowId: given.resource.flowId ?? given.resource.id }
      : given.resource;
    if (!family || !kept) return family || kept ? { family: (family ?? kept)!, resource } : undefined;
    const version = resource.version ?? folderOf(path) ?? DEVELOP;
    if (version === DEVELOP)
      return { family, version, resource: isFlow ? { ...resource, id: resource.flowId } : resource };
    const label = JSON.stringify([typeof resource.version, version]);
    this.meant.set(label, { path, resource: { version: resource.version } });
    return { family: kept, version: label, resource };
  }

  /** Notes that the bundle has a version. */
  add({ id, resource: { version }, path }: Standing & { id: string }): void {
    if (typeof version !== 'string') return;
    const folder = folderOf(path);
    if (folder !== undefined) this.names.set(folder, version);
    if (!this.ids.has(version)) this.ids.set(version, id);
  }

  /** The names of versions that the bundle has something of, and says nothing of. */
  untold(): string[] {
    const names = [...this.meant.values()].map((standing) => this.nameOf(standing));
    return [...new Set(names)].filter((name) => !this.ids.has(name));
  }

  /** The version that keeps a resource. */
  of(standing: Standing): { id: string; name: string } {
    const name = this.nameOf(standing);
    return { id: this.ids.get(name)!, name };
  }

  private nameOf({ resource: { version }, path }: Standing): string {
    if (typeof version === 'string') return version;
    const folder = folderOf(path) ?? '';
    return this.names.get(folder) ?? folder;
  }
}

const folderOf = (path: string): string | undefined => FOLDER.exec(path)?.[1];

const isExperienceFlow = (resourceType: string, { resource, path }: Standing): boolean =>
  resourceType === EXPERIENCE_FLOW ||
  (FLOWS.has(resourceType) && (resource.flowClass === 'experience' || OF_WORKFLOWS.test(path)));
