import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, JsonField, StringField, type JsonSchema } from '../../../platform/fields/fields.js';

const option = (description: string) => ({ type: 'boolean', description, default: false, example: false });

/** How a bundle is compiled; without `gzip`, which is how it travels. */
export const COMPILER_OPTIONS = {
  traceLevel: {
    type: 'integer',
    enum: [0, 1, 2],
    description: 'The most that the module traces: 0 nothing, 1 errors, 2 everything.',
    default: 0,
    example: 1,
  },
  disableDebugMessage: option('Whether the module sends no debug messages, which makes it smaller.'),
  stackSize: {
    type: 'integer',
    minimum: 1_600,
    maximum: 2_147_483_648,
    description: 'Bytes that the paths which wait in a run may take; a run that needs more fails.',
    example: 32_768,
  },
  debugSymbols: option('Whether the module names its functions, and a source map is made.'),
  exportMemory: option('Whether the module brings its memory; else the host does, as `env.memory`.'),
} as const;

const HELLO_OPTIONS: JsonSchema = {
  title: 'EmbeddedCompilerOptions',
  type: 'object',
  description: 'How a device wants its bundle compiled.',
  additionalProperties: false,
  properties: { ...COMPILER_OPTIONS, gzip: option('Whether the module comes compressed with gzip.') },
};

/** What a device says when it begins to run a bundle. */
@ApiSchema({
  name: 'EmbeddedHelloPost',
  description: 'What a device runs, and how it wants its next bundle.',
})
export class EmbeddedHelloPost {
  @ChoiceField(['embeddedWorkflowAgent'], {
    column: false,
    required: true,
    description: 'What speaks for the device.',
    example: 'embeddedWorkflowAgent',
  })
  service: 'embeddedWorkflowAgent';

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 32,
    pattern: '^\\d+\\.\\d+\\.\\d+$',
    description:
      'The version of the interface that it offers to modules. Its first number must be theirs, 1.',
    example: '1.0.0',
  })
  version: string;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 64,
    description: 'The identifier of the bundle that it runs; `nullVersion` for none.',
    example: 'nullVersion',
  })
  bundle: string;

  @JsonField(HELLO_OPTIONS, {
    column: false,
    description: 'How it wants its next bundle compiled; what is absent is off.',
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

@ApiSchema({ name: 'EmbeddedBundleState', description: 'What a device is to run.' })
export class EmbeddedBundleState {
  @StringField({
    column: false,
    required: true,
    description: 'The identifier of the bundle that it is to run; `nullVersion` for none.',
    example: '1781323200000',
  })
  desiredBundleVersion: string;

  @ChoiceField(BUNDLE_STATES, {
    column: false,
    required: true,
    description:
      '`current`: it runs that; `none`: it is to run nothing; `compiling`: it is made; `ready`: `GET …/embedded/bundles/{bundleVersion}` has it; `failed`: it does not compile, or the device does not offer the interface that modules need.',
    example: 'compiling',
  })
  state: BundleState;

  @StringField({
    column: false,
    maxLength: 4096,
    description: 'Why it failed; where it does not compile, with the workflow, the node and the field.',
    example: 'workflow "Alarm", node n3, config.expression: it ends where a value is expected',
  })
  error?: string;
}
