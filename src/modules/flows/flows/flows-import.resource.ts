import { ApiSchema } from '@nestjs/swagger';
import { JsonField, ObjectField, type JsonSchema } from '../../../platform/fields/fields.js';
import { idSchema, textSchema } from '../../../platform/fields/schema.js';
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
import { exampleId } from '../../../platform/fields/example-id.js';

const MAX_ITEMS = 1000;

/** Response properties of workflows and versions that an import accepts and ignores. */
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

/** Properties of both workflows and versions. */
const SHARED = {
  id: idSchema('ID in the source application. The import assigns a new ID.'),
  applicationId: idSchema('ID of the source application. Ignored.'),
  enabled: { type: 'boolean', description: 'Whether the workflow or version can run.', example: true },
  triggers: { ...TRIGGERS, description: 'Triggers that start a run.' },
  nodes: { ...NODES, description: 'Nodes that a run executes.' },
  globals: { ...FLOW_GLOBALS, description: 'Constants that the nodes can read.' },
  minimumAgentVersion: {
    type: 'string',
    pattern: MINIMUM_AGENT_VERSION_PATTERN,
    description: 'Minimum agent version that can run the workflow.',
    example: '1.0.0',
  },
  customNodeConfig: CUSTOM_NODE_CONFIG,
};
/** Exports can be imported unchanged: these properties are ignored, and the rules reject any others. */
const skippedProperties = (names: readonly string[]) => ({
  description: `Other exported properties are ignored: ${names.map((name) => `\`${name}\``).join(', ')}.`,
});

const IMPORTED_FLOW: JsonSchema = {
  title: 'FlowsImportFlow',
  type: 'object',
  required: ['name'],
  additionalProperties: skippedProperties(NOT_IMPORTED.flows),
  description: 'A workflow, in the format of responses.',
  properties: {
    ...SHARED,
    name: textSchema('Display name of the workflow.', 'Alarm', { minLength: 1, maxLength: 255 }),
    description: textSchema('Description of the workflow, as free text.', 'Warns when a pump runs dry', {
      maxLength: 32_767,
    }),
    flowClass: {
      type: 'string',
      enum: FLOW_CLASSES,
      description: 'Environment in which the workflow runs.',
      example: 'cloud',
    },
    defaultVersionId: {
      ...idSchema('ID of the default version. Dropped if the version is not in the import.'),
      nullable: true,
    },
    category: {
      ...CATEGORY,
      description: 'Section of the palette in which the node appears. Custom nodes only.',
      example: 'logic',
    },
    iconData: {
      ...ICON_DATA,
      nullable: true,
      description: 'Icon of the node, as a data URL. Custom nodes only.',
      example: 'data:image/png;base64,iVBORw0KGgo=',
    },
    docsUrl: textSchema(
      'URL of the documentation of the node. Custom nodes only.',
      'https://example.com/nodes/average',
      { maxLength: 1024 },
    ),
    shortDescription: textSchema(
      'Description of the node in one line. Custom nodes only.',
      'Averages a list',
      { maxLength: 1024 },
    ),
    customNodeSupports: {
      ...CUSTOM_NODE_SUPPORTS,
      description: 'Class of workflows in which the node can run. Custom nodes only.',
      example: ['cloud'],
    },
  },
};

const IMPORTED_VERSION: JsonSchema = {
  title: 'FlowsImportVersion',
  type: 'object',
  required: ['version'],
  additionalProperties: skippedProperties(NOT_IMPORTED.flowVersions),
  description: 'A workflow version, in the format of responses.',
  properties: {
    ...SHARED,
    flowId: idSchema('ID of the workflow: one in the import, or one of the application.'),
    version: textSchema('Name of the version, unique within the workflow.', '1.4.0', {
      minLength: 1,
      maxLength: 255,
    }),
    notes: textSchema('Release notes, as free text.', 'Warns earlier', { maxLength: 32_767 }),
  },
};

/** Properties that an import accepts. */
export const IMPORTED = {
  flows: Object.keys(IMPORTED_FLOW.properties as object),
  flowVersions: Object.keys(IMPORTED_VERSION.properties as object),
};

/** Exported workflow. */
export type ImportedFlow = Partial<Omit<Flow, 'name'>> & Pick<Flow, 'name'>;
/** Exported workflow version. */
export type ImportedVersion = Partial<Omit<FlowVersion, 'version'>> & Pick<FlowVersion, 'version'>;

@ApiSchema({ name: 'FlowsImportPost', description: 'Exported workflows and versions.' })
export class FlowsImportPost {
  @JsonField(
    { type: 'array', maxItems: MAX_ITEMS, items: IMPORTED_FLOW },
    { column: false, description: 'Workflows to import, including custom nodes.' },
  )
  flows?: ImportedFlow[];

  @JsonField(
    { type: 'array', maxItems: MAX_ITEMS, items: IMPORTED_VERSION },
    {
      column: false,
      description: 'Versions to import, of these workflows or of workflows of the application.',
    },
  )
  flowVersions?: ImportedVersion[];
}

const ids = (title: string, description: string): JsonSchema => ({
  title,
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
  example: { [exampleId('flow')]: '6a1b2c3d4e5f60718293a4b5' },
});

@ApiSchema({ name: 'FlowsImportResult', description: 'Workflows and versions that the import created.' })
export class FlowsImportResult {
  @ObjectField(() => Flow, {
    column: false,
    required: true,
    list: true,
    description: 'Created workflows, in the order of the request.',
  })
  flows: Flow[];

  @ObjectField(() => FlowVersion, {
    column: false,
    required: true,
    list: true,
    description: 'Created versions, in the order of the request.',
  })
  flowVersions: FlowVersion[];

  @JsonField(ids('ImportedFlowIds', 'New IDs of workflows, by their IDs in the import.'), {
    column: false,
    required: true,
    description: 'New IDs of workflows, by their IDs in the import.',
  })
  importedFlowIdMap: Record<string, string>;

  @JsonField(ids('ImportedVersionIds', 'New IDs of versions, by their IDs in the import.'), {
    column: false,
    required: true,
    description: 'New IDs of versions, by their IDs in the import.',
  })
  importedVersionIdMap: Record<string, string>;
}
