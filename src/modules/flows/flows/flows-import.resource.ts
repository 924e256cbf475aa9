import { ApiSchema } from '@nestjs/swagger';
import {
  ID_EXAMPLE,
  ID_PATTERN,
  JsonField,
  ObjectField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import { FLOW_CLASSES } from '../../../workflows/graph/graph.js';
import {
  CATEGORY,
  CUSTOM_NODE_CONFIG,
  CUSTOM_NODE_SUPPORTS,
  FLOW_GLOBALS,
  ICON_DATA,
  MINIMUM_AGENT_VERSION_PATTERN,
  NODES,
  TRIGGERS,
} from '../../../workflows/graph/graph.schemas.js';

const MOST = 1000;

/** What answers show of a workflow or a version beside what an import takes; an import does not look at it. */
export const NOT_IMPORTED: Readonly<Record<'flows' | 'flowVersions', readonly string[]>> = {
  flows: [
    'flowId',
    'creationDate',
    'lastUpdated',
    'createdById',
    'createdByType',
    'lastUpdatedById',
    'lastUpdatedByType',
    'deletedInDevelop',
    'customNodeUseCount',
    'stats',
    'exportHash',
    'customNodes',
    'customNodeVersions',
  ],
  flowVersions: [
    'flowVersionId',
    'flowClass',
    'name',
    'description',
    'creationDate',
    'lastUpdated',
    'createdById',
    'createdByType',
    'lastUpdatedById',
    'lastUpdatedByType',
    'versions',
    'stats',
    'exportHash',
    'customNodes',
    'customNodeVersions',
  ],
};

const id = (description: string) => ({
  type: 'string',
  pattern: ID_PATTERN,
  description,
  example: ID_EXAMPLE,
});
const text = (description: string, example: string, maxLength: number, minLength?: number) => ({
  type: 'string',
  ...(minLength ? { minLength } : {}),
  maxLength,
  description,
  example,
});
/** What both have. */
const SHARED = {
  id: id('Its id where it was exported; the import gives it another.'),
  applicationId: id('The application that it was exported from.'),
  enabled: { type: 'boolean', description: 'Whether it runs.', example: true },
  triggers: { ...TRIGGERS, description: 'What makes it run.' },
  nodes: { ...NODES, description: 'What it does then.' },
  globals: { ...FLOW_GLOBALS, description: 'Values that its nodes can read.' },
  minimumAgentVersion: {
    type: 'string',
    pattern: MINIMUM_AGENT_VERSION_PATTERN,
    description: 'The oldest agent that can run it.',
    example: '1.0.0',
  },
  customNodeConfig: CUSTOM_NODE_CONFIG,
};
/** An export goes in as it is: what is named here is passed over, and any other name is refused by the rules. */
const passedOver = (names: readonly string[]) => ({
  description: `What else an export shows is not looked at: ${names.map((name) => `\`${name}\``).join(', ')}.`,
});

const IMPORTED_FLOW: JsonSchema = {
  title: 'FlowsImportFlow',
  type: 'object',
  required: ['name'],
  additionalProperties: passedOver(NOT_IMPORTED.flows),
  description: 'A workflow, as answers show it.',
  properties: {
    ...SHARED,
    name: text('Its name.', 'Alarm', 255, 1),
    description: text('What it does.', 'Warns when a pump runs dry', 32_767),
    flowClass: { type: 'string', enum: FLOW_CLASSES, description: 'Where it runs.', example: 'cloud' },
    defaultVersionId: { ...id('The version that runs, where it is in the import.'), nullable: true },
    category: { ...CATEGORY, description: 'The part of the palette of a custom node.', example: 'logic' },
    iconData: {
      ...ICON_DATA,
      nullable: true,
      description: 'The icon of a custom node.',
      example: 'data:image/png;base64,iVBORw0KGgo=',
    },
    docsUrl: text('Where a custom node is documented.', 'https://example.com/nodes/average', 1024),
    shortDescription: text('A custom node in a line.', 'Averages a list', 1024),
    customNodeSupports: {
      ...CUSTOM_NODE_SUPPORTS,
      description: 'Where a custom node can run.',
      example: ['cloud'],
    },
  },
};

const IMPORTED_VERSION: JsonSchema = {
  title: 'FlowsImportVersion',
  type: 'object',
  required: ['version'],
  additionalProperties: passedOver(NOT_IMPORTED.flowVersions),
  description: 'A version, as answers show it.',
  properties: {
    ...SHARED,
    flowId: id('Its workflow: one of the same import, or one that the application has.'),
    version: text('Its name, unique in the workflow.', '1.4.0', 255, 1),
    notes: text('What is new in it.', 'Warns earlier', 32_767),
  },
};

/** The members that an import takes. */
export const IMPORTED = {
  flows: Object.keys(IMPORTED_FLOW.properties as object),
  flowVersions: Object.keys(IMPORTED_VERSION.properties as object),
};

/** A workflow as it was exported. */
export type ImportedFlow = Partial<Omit<Flow, 'name'>> & Pick<Flow, 'name'>;
/** A version as it was exported. */
export type ImportedVersion = Partial<Omit<FlowVersion, 'version'>> & Pick<FlowVersion, 'version'>;

@ApiSchema({ name: 'FlowsImportPost', description: 'Workflows and versions, as they were exported.' })
export class FlowsImportPost {
  @JsonField(
    { type: 'array', maxItems: MOST, items: IMPORTED_FLOW },
    { column: false, description: 'Workflows, custom nodes among them.' },
  )
  flows?: ImportedFlow[];

  @JsonField(
    { type: 'array', maxItems: MOST, items: IMPORTED_VERSION },
    { column: false, description: 'Versions, of these workflows or of ones that the application has.' },
  )
  flowVersions?: ImportedVersion[];
}

const ids = (title: string, description: string): JsonSchema => ({
  title,
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
  example: { '575ec8687ae143cd83dc4a97': '6a1b2c3d4e5f60718293a4b5' },
});

@ApiSchema({ name: 'FlowsImportResult', description: 'What an import made.' })
export class FlowsImportResult {
  @ObjectField(() => Flow, {
    column: false,
    required: true,
    list: true,
    description: 'The workflows, in the order given.',
  })
  flows: Flow[];

  @ObjectField(() => FlowVersion, {
    column: false,
    required: true,
    list: true,
    description: 'The versions, in the order given.',
  })
  flowVersions: FlowVersion[];

  @JsonField(ids('ImportedFlowIds', 'The new ids of workflows by the old ones.'), {
    column: false,
    required: true,
    description: 'The new ids of the workflows.',
  })
  importedFlowIdMap: Record<string, string>;

  @JsonField(ids('ImportedVersionIds', 'The new ids of versions by the old ones.'), {
    column: false,
    required: true,
    description: 'The new ids of the versions.',
  })
  importedVersionIdMap: Record<string, string>;
}
