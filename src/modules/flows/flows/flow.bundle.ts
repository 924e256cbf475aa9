import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled, type BundleDefinition } from '../../../platform/bundles/bundled.js';
import {
  DEVELOPED_EXPERIENCE,
  DEVELOPED_OTHERS,
  IS_EXPERIENCE_FLOW,
  IS_OTHER_FLOW,
} from './bundled-flows.columns.js';
import { ofWorkflow } from './flow-version.columns.js';
import { FLOW_VERSIONS, FlowVersionPost, type FlowVersion } from './flow-version.resource.js';
import { FlowPost, FLOWS, type Flow } from './flow.resource.js';
import { newFlow, newVersion } from './flows-import.rules.js';

/** A workflow, with the name of the experience's development version. */
type DevelopedFlow = Flow & { version?: string };

const FLOW = {
  holding: FLOWS,
  placeholderWord: 'flow',
  post: FlowPost,
  row: newFlow,
} satisfies Partial<BundleDefinition<Flow, FlowPost>>;

const VERSION = {
  holding: FLOW_VERSIONS,
  placeholderWord: 'flowVersion',
  post: FlowVersionPost,
  nameProperty: 'version',
  identity: ['flowId'],
} satisfies Partial<BundleDefinition<FlowVersion, FlowVersionPost>>;

/** Name of the experience's development version. */
const DEVELOP = 'develop';

const ofExperience = (version: string, name: string): string =>
  `experience/${pathPart(version)}/workflows/${pathPart(name)}`;

/** Development versions of workflows, including custom nodes. */
export const BUNDLED_FLOWS = bundled<Flow, FlowPost>({
  ...FLOW,
  resourceType: 'Flow',
  additional: ['defaultVersionId'],
  links: ['defaultVersionId'],
  deferred: { defaultVersionId: { others: FLOW_VERSIONS.table, backReference: 'flow_id' } },
  where: DEVELOPED_OTHERS,
  place: { each: ({ flowClass, name }) => `workflows/${flowClass}/${pathPart(name)}` },
});

/**
 * Development versions of experience workflows, which belong to the experience version `develop`. Other experience
 * versions refer to the same `flowId`.
 */
export const BUNDLED_EXPERIENCE_FLOWS = bundled<DevelopedFlow, FlowPost>({
  ...FLOW,
  resourceType: 'ExperienceFlowVersion',
  additional: ['flowId', 'version'],
  computed: [
    { property: 'flowId', kind: 'plain', sql: 't.id' },
    { property: 'version', kind: 'text', sql: `'${DEVELOP}'` },
  ],
  where: DEVELOPED_EXPERIENCE,
  place: { each: ({ version = DEVELOP, name }) => ofExperience(version, name) },
});

export const BUNDLED_FLOW_VERSIONS = bundled<FlowVersion, FlowVersionPost>({
  ...VERSION,
  resourceType: 'FlowVersion',
  placeholderWord: 'flowVersion',
  additional: ['flowId', 'flowClass'],
  where: IS_OTHER_FLOW,
  place: { each: ({ version }) => `workflowVersions/${pathPart(version)}` },
  row: newVersion,
});

/**
 * Workflow versions that belong to versions of the experience, including those of workflows deleted from development.
 */
export const BUNDLED_EXPERIENCE_FLOW_VERSIONS = bundled<FlowVersion, FlowVersionPost>({
  ...VERSION,
  resourceType: 'ExperienceFlowVersion',
  placeholderWord: 'flowVersion',
  additional: ['flowId', 'name', 'description'],
  computed: (['name', 'description'] as const).map((property) => ({
    property,
    kind: 'text',
    sql: ofWorkflow(property),
  })),
  where: IS_EXPERIENCE_FLOW,
  place: { each: ({ version, name = '' }) => ofExperience(version, name) },
  // Experience versions can have names that workflow versions cannot.
  row: (body, place) => ({
    ...newVersion({ ...body, version: 'kept', flowClass: 'experience' }, place),
    version: place.version!.name,
  }),
});
