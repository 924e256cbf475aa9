/** A group, as the API lists it and as far as the tree contains it. */
export interface ListedGroup {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly parentId?: string;
  readonly ancestorIds: readonly string[];
  readonly groupTags: Readonly<Record<string, string>>;
  readonly deviceCount?: number;
}

/** A group with the groups below it, in the order of the list. */
export interface GroupNode {
  readonly id: string;
  readonly name: string;
  readonly children: GroupNode[];
}

/** ID and name of the parent of the topmost groups. */
const ROOT = '(root)';

/** The groups of an application as trees. */
export class GroupTrees {
  private readonly nodes: ReadonlyMap<string, GroupNode>;
  private readonly topmost: readonly GroupNode[];

  constructor(private readonly groups: readonly ListedGroup[]) {
    this.nodes = new Map(groups.map((group) => [group.id, nodeOf(group)]));
    const topmost: GroupNode[] = [];
    for (const { id, parentId } of groups) {
      const siblings = this.nodes.get(parentId ?? '')?.children ?? topmost;
      siblings.push(this.nodes.get(id)!);
    }
    this.topmost = topmost;
  }

  /** Returns a group with the groups below it. */
  from(id: string): GroupNode | undefined {
    return this.nodes.get(id);
  }

  /** Returns all groups below a root. */
  all(): GroupNode {
    return { id: ROOT, name: ROOT, children: [...this.topmost] };
  }

  /** Returns the groups with these IDs and the groups below them, below a root. */
  below(ids: readonly string[]): GroupNode {
    const wanted = new Set(ids);
    const first = this.groups.filter(
      ({ id, ancestorIds }) => wanted.has(id) && !ancestorIds.some((above) => wanted.has(above)),
    );
    return { id: ROOT, name: ROOT, children: first.map(({ id }) => this.nodes.get(id)!) };
  }
}

function nodeOf(group: ListedGroup): GroupNode {
  const { id, name, description, parentId, ancestorIds, groupTags, deviceCount } = group;
  const facts = { description, parentId, deviceCount };
  const present = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { id, name, ...present, ...{ ancestorIds, groupTags }, children: [] };
}
