import type { Type } from '@nestjs/common';
import { ApiPropertyOptional, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { ON_REQUEST } from '../../../platform/fields/fields.js';
import { FlowVersion, FlowVersions } from './flow-version.resource.js';
import { Flow, Flows } from './flow.resource.js';

const CUSTOM_NODES: ApiPropertyOptions = {
  type: () => Flow,
  isArray: true,
  description: 'the custom nodes of the application that its nodes execute',
};
const CUSTOM_NODE_VERSIONS: ApiPropertyOptions = {
  type: () => FlowVersion,
  isArray: true,
  description: 'the versions of these that its nodes name, or that run where they name none',
};

/** The class of an answer that has custom nodes beside it, where they are asked for. */
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
  'A workflow, and the custom nodes that it executes where they are asked for.',
);
export const FlowVersionWithCustomNodes = withCustomNodes(
  FlowVersion,
  'FlowVersionWithCustomNodes',
  'A version of a workflow, and the custom nodes that it executes where they are asked for.',
);
export const FlowsWithCustomNodes = withCustomNodes(
  Flows,
  'FlowsWithCustomNodes',
  'A page of workflows, and the custom nodes that these execute where they are asked for.',
);
export const FlowVersionsWithCustomNodes = withCustomNodes(
  FlowVersions,
  'FlowVersionsWithCustomNodes',
  'A page of versions, and the custom nodes that these execute where they are asked for.',
);
