import { Controller, Get } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Palette } from './palette.resource.js';
import { PaletteService } from './palette.service.js';

@Controller('applications/:applicationId/flows/palette')
export class PaletteController {
  constructor(private readonly palette: PaletteService) {}

  @Get()
  @Operation('flows.palette', {
    summary: 'Returns the custom nodes that workflows of an application can execute',
    description:
      'Those of the application, one entry for each version and one for the version that is being developed, and those of the instance that its owner belongs to, one entry each. Needs the role `view` on the application.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: Palette },
    missing: 'application',
  })
  get(@CurrentApplication() { id }: ApplicationAccess): Promise<Palette> {
    return this.palette.of(id);
  }
}
