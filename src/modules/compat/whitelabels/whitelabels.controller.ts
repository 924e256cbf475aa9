import { Controller, Get, Inject } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { Unlisted } from '../../../platform/server/unlisted.js';

/** Called by the published command-line tool after signing in; it stores the response next to the token. */
@Controller('whitelabels')
export class WhitelabelsController {
  constructor(@Inject(Config) private readonly config: Config) {}

  /** Returns the URL of the user interface and the domain for content served by applications. */
  @Get('domain')
  @Unlisted()
  domain(): { appUrl: string; endpointDomain: string } {
    const { publicUrl } = this.config;
    return { appUrl: publicUrl, endpointDomain: new URL(publicUrl).host };
  }
}
