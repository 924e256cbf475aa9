import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, JsonField, StringField, type JsonSchema } from '../../../platform/fields/fields.js';

const option = (description: string) => ({ type: 'boolean', description, default: false, example: false });

/** Compiler options without `gzip`, which only affects the transfer. */
export const COMPILER_OPTIONS = {
  traceLevel: {
    type: 'integer',
    enum: [0, 1, 2],
    description: 'Maximum trace level: 0 nothing, 1 errors, 2 everything.',
    default: 0,
    example: 1,
  },
  disableDebugMessage: option('Whether to leave debug messages out of the module, which makes it smaller.'),
  stackSize: {
    type: 'integer',
    minimum: 1_600,
    maximum: 2_147_483_648,
    description: 'Maximum number of bytes for pending paths of a run. A run that needs more fails.',
    example: 32_768,
  },
  debugSymbols: option('Whether to keep function names and create a source map.'),
  exportMemory: option(
    'Whether the module exports its memory. Otherwise the host must provide it as `env.memory`.',
  ),
} as const;

const HELLO_OPTIONS: JsonSchema = {
  title: 'EmbeddedCompilerOptions',
  type: 'object',
  description: "Options for compiling the device's next bundle.",
  additionalProperties: false,
  properties: {
    ...COMPILER_OPTIONS,
    gzip: option('Whether to compress the module with gzip for the transfer.'),
  },
};

/** Message that a device sends when it starts to run a bundle. */
@ApiSchema({
  name: 'EmbeddedHelloPost',
  description: 'Running bundle of a device, and options for its next one.',
})
export class EmbeddedHelloPost {
  @ChoiceField(['embeddedWorkflowAgent'], {
    column: false,
    required: true,
    description: 'Type of the agent on the device.',
    example: 'embeddedWorkflowAgent',
  })
  service: 'embeddedWorkflowAgent';

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 32,
    pattern: '^\\d+\\.\\d+\\.\\d+$',
    description: 'Version of the interface that the device provides to modules. The major version must be 1.',
    example: '1.0.0',
  })
  version: string;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 64,
    description: 'Version of the running bundle; `nullVersion` if no bundle is running.',
    example: 'nullVersion',
  })
  bundle: string;

  @JsonField(HELLO_OPTIONS, {
    column: false,
    description: 'Options for compiling the next bundle. Omitted options are disabled.',
    example: { exportMemory: true, traceLevel: 1 },
  })
  compilerOptions?: {
    traceLevel?: 0 | 1 | 2;
    disableDebugMessage?: boolean;
    stackSize?: number;
    debugSymbols?: boolean;
    exportMemory?: boolean;
    gzip?: boolean;
  };
}

const BUNDLE_STATES = ['current', 'none', 'compiling', 'ready', 'failed'] as const;
type BundleState = (typeof BUNDLE_STATES)[number];

@ApiSchema({ name: 'EmbeddedBundleState', description: 'Desired bundle of a device and its state.' })
export class EmbeddedBundleState {
  @StringField({
    column: false,
    required: true,
    description: 'Version of the desired bundle; `nullVersion` if no workflow is deployed.',
    example: '1781323200000',
  })
  desiredBundleVersion: string;

  @ChoiceField(BUNDLE_STATES, {
    column: false,
    required: true,
    description:
      'State of the desired bundle. `current`: the device runs it. `none`: no bundle is desired. `compiling`: it is being compiled. `ready`: it is available at `GET …/embedded/bundles/{bundleVersion}`. `failed`: it cannot be compiled, or the device does not provide the required interface.',
    example: 'compiling',
  })
  state: BundleState;

  @StringField({
    column: false,
    maxLength: 4096,
    description: 'Reason of the failure. A compile error names the workflow, the node and the field.',
    example: 'workflow "Alarm", node n3, config.expression: a value is expected at the end',
  })
  error?: string;
}
