import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { BooleanField, IdField, IntegerField, JsonField } from '../../../platform/fields/fields.js';
import { COMPILER_OPTIONS } from './embedded-agent.schemas.js';

const { traceLevel, stackSize, disableDebugMessage, debugSymbols, exportMemory } = COMPILER_OPTIONS;
const off = { column: false, default: false } as const;

@ApiSchema({
  name: 'EmbeddedDeploymentExport',
  description: 'Devices to export, and compiler options.',
})
export class EmbeddedDeploymentExport extends ListenersBody {
  @IdField({ column: false, description: 'ID of the embedded deployment to export.' })
  embeddedDeploymentId?: string;

  @IdField({ column: false, description: 'ID of the embedded device to export.' })
  deviceId?: string;

  @JsonField(traceLevel, { column: false, description: traceLevel.description, example: 1 })
  traceLevel?: 0 | 1 | 2;

  @BooleanField({ ...off, description: disableDebugMessage.description })
  disableDebugMessage?: boolean;

  @IntegerField({ ...stackSize, column: false })
  stackSize?: number;

  @BooleanField({ ...off, description: debugSymbols.description })
  debugSymbols?: boolean;

  @BooleanField({ ...off, description: exportMemory.description })
  exportMemory?: boolean;

  @BooleanField({ ...off, description: 'Whether to compress modules with gzip.' })
  gzip?: boolean;
}
