import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { RunsIn } from '../platform/processes/roles.js';
import type { ViewHost } from '../workflows/language/views/rendering.js';
import { FileLinks } from './files/file-links.js';

/** Addresses that pages link to. */
@Injectable()
@RunsIn('sites')
export class SiteAddresses {
  constructor(
    private readonly config: Config,
    private readonly links: FileLinks,
  ) {}

  hostOf(applicationId: string): Omit<ViewHost, 'component'> {
    return {
      fileUrl: (path, ttl) =>
        ttl === undefined
          ? this.links.publicUrl(applicationId, path)
          : this.links.privateUrl(applicationId, path, ttl),
      dashboardUrl: (id, context) => this.dashboardUrl(id, context),
    };
  }

  private dashboardUrl(id: string, context: Readonly<Record<string, unknown>>): string {
    const query = new URLSearchParams(
      Object.entries(context).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const suffix = query.size > 0 ? `?${query.toString()}` : '';
    return `${this.config.publicUrl}/dashboards/${encodeURIComponent(id)}${suffix}`;
  }
}
