import type { Type } from '@nestjs/common';
import { ApiPropertyOptional, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { ON_REQUEST } from '../../../platform/fields/fields.js';
import { FlowVersion, FlowVersions } from './flow-version.resource.js';
import { Flow, Flows } from './flow.resource.js';

const CUSTOM_NODES: ApiPropertyOptions = {
  type: () => Flow,
  isArray: true,
  description: 'custom nodes of the application that the nodes execute',
};
const CUSTOM_NODE_VERSIONS: ApiPropertyOptions = {
  type: () => FlowVersion,
  isArray: true,
  description: 'versions of these custom nodes that the nodes refer to, or the default versions',
};

/** Creates a response class that includes custom nodes on request. */
function withCustomNodes<T extends object>(base: Type<T>, name: string, description: string): Type<T> {
  class Answer extends (base as Type) {
    @ApiPropertyOptional({ ...CUSTOM_NODES, ...ON_REQUEST })
    customNodes?: Flow[];

    @ApiPropertyOptional({ ...CUSTOM_NODE_VERSIONS, ...ON_REQUEST })
    customNodeVersions?: FlowVersion[];
  }
  ApiSchema({ name, description })(Answer);
  return Answer as Type<T>;
}

export const FlowWithCustomNodes = withCustomNodes(
  Flow,
  'FlowWithCustomNodes',
  'A workflow, with the custom nodes that it executes on request.',
);
export const FlowVersionWithCustomNodes = withCustomNodes(
  FlowVersion,
  'FlowVersionWithCustomNodes',
  'A workflow version, with the custom nodes that it executes on request.',
);
export const FlowsWithCustomNodes = withCustomNodes(
  Flows,
  'FlowsWithCustomNodes',
  'A page of workflows, with the custom nodes that they execute on request.',
);
export const FlowVersionsWithCustomNodes = withCustomNodes(
  FlowVersions,
  'FlowVersionsWithCustomNodes',
  'A page of workflow versions, with the custom nodes that they execute on request.',
);
