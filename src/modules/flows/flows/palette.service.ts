import { Injectable } from '@nestjs/common';
import { PaletteRepository } from './palette.repository.js';
import type { Palette } from './palette.resource.js';

/** What the palette of an editor offers beside the nodes that every workflow has. */
@Injectable()
export class PaletteService {
  constructor(private readonly palette: PaletteRepository) {}

  async of(applicationId: string): Promise<Palette> {
    return { applicationId, customNodes: await this.palette.customNodes(applicationId) };
  }
}
