import { pathPart } from '../../platform/bundles/bundle-names.js';
import { bundled, type BundledFacts } from '../../platform/bundles/bundled.js';
import { DEVELOPED, KEPT, OF_EXPERIENCE, OF_OTHERS } from './bundled-flows.columns.js';
import { ofWorkflow } from './flow-version.columns.js';
import { FLOW_VERSIONS, FlowVersionPost, type FlowVersion } from './flow-version.resource.js';
import { FlowPost, FLOWS, type Flow } from './flow.resource.js';
import { newFlow, newVersion } from './flows-import.rules.js';

const FLOW: Omit<BundledFacts<Flow, FlowPost>, 'place'> = {
  holding: FLOWS,
  resourceType: 'Flow',
  word: 'flow',
  post: FlowPost,
  also: ['defaultVersionId'],
  links: ['defaultVersionId'],
  row: newFlow,
};

const VERSION: Omit<BundledFacts<FlowVersion, FlowVersionPost>, 'place'> = {
  holding: FLOW_VERSIONS,
  resourceType: 'FlowVersion',
  word: 'flowVersion',
  post: FlowVersionPost,
  also: ['flowId', 'flowClass'],
  named: 'version',
  row: newVersion,
};

/** Workflows of every class, custom nodes among them, as they are being developed. */
export const BUNDLED_FLOWS = bundled({
  ...FLOW,
  where: DEVELOPED,
  place: {
    each: ({ flowClass, name }) =>
      `${flowClass === 'experience' ? 'experience/develop/workflows' : `workflows/${flowClass}`}/${pathPart(name)}`,
  },
});

export const BUNDLED_FLOW_VERSIONS = bundled({
  ...VERSION,
  where: OF_OTHERS,
  place: { each: ({ version }) => `workflowVersions/${pathPart(version)}` },
});

/** Workflows that only versions of the experience have any more. */
export const KEPT_FLOWS = bundled({
  ...FLOW,
  also: ['deletedInDevelop'],
  links: [],
  where: KEPT,
  place: { each: ({ name }) => `experience/workflows/${pathPart(name)}` },
});

/** What versions of the experience keep of workflows. */
export const KEPT_FLOW_VERSIONS = bundled({
  ...VERSION,
  where: OF_EXPERIENCE,
  known: [{ property: 'name', kind: 'text', sql: ofWorkflow('name') }],
  place: {
    each: ({ version, name = '' }) => `experience/${pathPart(version)}/workflows/${pathPart(name)}`,
  },
});
