import { Controller, Get, Inject } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { Unlisted } from '../../../platform/server/unlisted.js';

/** What the published command line asks after it signed in, to keep it beside the token. */
@Controller('whitelabels')
export class WhitelabelsController {
  constructor(@Inject(Config) private readonly config: Config) {}

  /** Where pages for users are, and the domain of what applications serve. */
  @Get('domain')
  @Unlisted()
  domain(): { appUrl: string; endpointDomain: string } {
    const { publicUrl } = this.config;
    return { appUrl: publicUrl, endpointDomain: new URL(publicUrl).host };
  }
}
