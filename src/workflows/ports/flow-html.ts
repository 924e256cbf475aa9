import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { HtmlFinder } from '../engine/html/html-finder.js';

/** Reads HTML of the workflows of this process. */
@Injectable()
@RunsIn('engine')
export class FlowHtml extends HtmlFinder implements OnApplicationShutdown {
  constructor() {
    super();
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
