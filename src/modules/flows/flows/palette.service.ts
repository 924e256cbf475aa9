import { Injectable } from '@nestjs/common';
import { PaletteRepository } from './palette.repository.js';
import type { Palette } from './palette.resource.js';

/** Returns the custom nodes in the palette of an editor. */
@Injectable()
export class PaletteService {
  constructor(private readonly palette: PaletteRepository) {}

  async get(applicationId: string): Promise<Palette> {
    return { applicationId, customNodes: await this.palette.customNodes(applicationId) };
  }
}
