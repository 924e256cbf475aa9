import { ApiSchema } from '@nestjs/swagger';
import { IdField, JsonField, type JsonSchema } from '../../../platform/fields/fields.js';
import { flagSchema, textSchema } from '../../../platform/fields/schema.js';
import { ID_EXAMPLE, ID_PATTERN } from '../../../platform/fields/fields.js';
import { CATEGORIES, CUSTOM_NODE_CONFIG } from '../../../workflows/graph/graph.schemas.js';

const flagOrVersion = (description: string) => ({
  oneOf: [{ type: 'boolean' }, { type: 'string' }],
  description,
  example: '1.0.0',
});

const PALETTE_NODE: JsonSchema = {
  title: 'PaletteNode',
  type: 'object',
  description: 'A version of a custom node. Custom nodes of the instance have no versions.',
  properties: {
    id: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'ID by which workflows refer to the custom node.',
      example: ID_EXAMPLE,
    },
    name: textSchema('Name of the custom node.', 'Average'),
    description: textSchema('Description of the custom node, as free text.', 'The mean of a list of numbers'),
    shortDescription: textSchema('Description of the custom node in one line.', 'Averages a list'),
    iconData: textSchema('Icon of the custom node, as a data URL.', 'data:image/png;base64,iVBORw0KGgo='),
    docsUrl: textSchema('URL of the documentation of the custom node.', 'https://example.com/nodes/average'),
    category: {
      type: 'string',
      enum: CATEGORIES,
      description: 'Section of the palette in which the custom node appears.',
    },
    customNodeConfig: CUSTOM_NODE_CONFIG,
    flowVersionId: {
      type: 'string',
      pattern: ID_PATTERN,
      description:
        'ID of the version. Omitted for the development version and for custom nodes of the instance.',
      example: ID_EXAMPLE,
    },
    version: textSchema(
      'Name of the version; `develop` for the development version. Omitted for custom nodes of the instance.',
      '1.4.0',
    ),
    compatibleFlowClasses: {
      title: 'CompatibleFlowClasses',
      type: 'object',
      description: 'Classes of workflows that can execute the custom node. Omitted classes cannot.',
      properties: {
        cloud: flagSchema('Whether cloud workflows can execute it.'),
        experience: flagSchema('Whether experience workflows can execute it.'),
        customNode: flagSchema('Whether custom nodes that run in the same environment can execute it.'),
        edge: flagOrVersion(
          'Whether edge workflows can execute it, or the minimum agent version that they require.',
        ),
        embedded: flagOrVersion('Whether embedded workflows can execute it. Currently not supported.'),
      },
    },
  },
};

@ApiSchema({ name: 'Palette', description: 'Custom nodes that workflows of an application can execute.' })
export class Palette {
  @IdField({ column: false, required: true, description: 'ID of the application.' })
  applicationId: string;

  @JsonField(
    { type: 'array', items: PALETTE_NODE },
    { column: false, required: true, description: 'Custom nodes in order of name, newest version first.' },
  )
  customNodes: object[];
}
