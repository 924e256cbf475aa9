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
    summary: 'Lists the custom nodes available to workflows',
    description:
      "Returns the custom nodes of the application, with one entry per version including the development version. Also returns the custom nodes of the instance that the application's owner belongs to, with one entry each.",
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: Palette },
    missing: 'application',
  })
  get(@CurrentApplication() { id }: ApplicationAccess): Promise<Palette> {
    return this.palette.get(id);
  }
}
