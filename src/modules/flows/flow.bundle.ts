import { pathPart } from '../../platform/bundles/bundle-names.js';
import { bundled } from '../../platform/bundles/bundled.js';
import { FLOW_VERSIONS, FlowVersionPost } from './flow-version.resource.js';
import { ofWorkflow } from './flow-version.columns.js';
import { FlowPost, FLOWS } from './flow.resource.js';
import { newFlow, newVersion } from './flows-import.rules.js';

/** Workflows of every class, custom nodes among them; those that only versions of the experience have say so. */
export const BUNDLED_FLOWS = bundled({
  holding: FLOWS,
  resourceType: 'Flow',
  word: 'flow',
  place: {
    each: ({ flowClass, name }) =>
      `${flowClass === 'experience' ? 'experience/develop/workflows' : `workflows/${flowClass}`}/${pathPart(name)}`,
  },
  post: FlowPost,
  also: ['defaultVersionId', 'deletedInDevelop'],
  links: ['defaultVersionId'],
  row: newFlow,
});

export const BUNDLED_FLOW_VERSIONS = bundled({
  holding: FLOW_VERSIONS,
  resourceType: 'FlowVersion',
  word: 'flowVersion',
  place: {
    each: ({ flowClass, version, name = '' }) =>
      flowClass === 'experience'
        ? `experience/${pathPart(version)}/workflows/${pathPart(name)}`
        : `workflowVersions/${pathPart(version)}`,
  },
  post: FlowVersionPost,
  also: ['flowId', 'flowClass'],
  named: 'version',
  known: [{ property: 'name', kind: 'text', sql: ofWorkflow('name') }],
  row: newVersion,
});
