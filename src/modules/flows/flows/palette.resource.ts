import { ApiSchema } from '@nestjs/swagger';
import { IdField, JsonField, type JsonSchema } from '../../../platform/fields/fields.js';
import { ID_EXAMPLE, ID_PATTERN } from '../../../platform/fields/fields.js';
import { CATEGORIES, CUSTOM_NODE_CONFIG } from '../../../workflows/graph/graph.schemas.js';

const text = (description: string, example: string) => ({ type: 'string', description, example });
const flag = (description: string) => ({ type: 'boolean', description, example: true });
const flagOrVersion = (description: string) => ({
  oneOf: [{ type: 'boolean' }, { type: 'string' }],
  description,
  example: '1.0.0',
});

const PALETTE_NODE: JsonSchema = {
  title: 'PaletteNode',
  type: 'object',
  description: 'A custom node in one of its versions; one of the instance has no versions.',
  properties: {
    id: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'What workflows execute it by.',
      example: ID_EXAMPLE,
    },
    name: text('Its name.', 'Average'),
    description: text('What it does.', 'The mean of a list of numbers'),
    shortDescription: text('The same in a line.', 'Averages a list'),
    iconData: text('Its icon.', 'data:image/png;base64,iVBORw0KGgo='),
    docsUrl: text('Where it is documented.', 'https://example.com/nodes/average'),
    category: { type: 'string', enum: CATEGORIES, description: 'The part of the palette that it stands in.' },
    customNodeConfig: CUSTOM_NODE_CONFIG,
    flowVersionId: {
      type: 'string',
      pattern: ID_PATTERN,
      description:
        'The version; absent for the one that is being developed, and for custom nodes of the instance.',
      example: ID_EXAMPLE,
    },
    version: text(
      "The version's name; `develop` for the one that is being developed, absent for custom nodes of the instance.",
      '1.4.0',
    ),
    compatibleFlowClasses: {
      title: 'CompatibleFlowClasses',
      type: 'object',
      description: 'The classes of workflows that can execute it; a class that is absent cannot.',
      properties: {
        cloud: flag('Cloud workflows.'),
        experience: flag('Experience workflows.'),
        customNode: flag('Custom nodes that run where it does.'),
        edge: flagOrVersion('Edge workflows, or the oldest agent that can run it.'),
        embedded: flagOrVersion('Embedded workflows: none can, so far.'),
      },
    },
  },
};

@ApiSchema({ name: 'Palette', description: 'The custom nodes that workflows of an application can execute.' })
export class Palette {
  @IdField({ column: false, required: true, description: 'The application.' })
  applicationId: string;

  @JsonField(
    { type: 'array', items: PALETTE_NODE },
    { column: false, required: true, description: 'The custom nodes, by name; versions from new to old.' },
  )
  customNodes: object[];
}
