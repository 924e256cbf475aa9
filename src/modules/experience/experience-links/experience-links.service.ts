import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Page } from '../../../platform/lists/page.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import {
  ExperienceVersionsRepository,
  type KnownVersion,
} from '../experience-versions/experience-versions.repository.js';
import { ExperienceViewsService } from '../experience-views/experience-views.service.js';
import { FlowCustomNodesService } from '../../flows/flows/flow-custom-nodes.service.js';
import type { FlowVersion } from '../../flows/flows/flow-version.resource.js';
import type { Flow } from '../../flows/flows/flow.resource.js';
import type { LinksQuery } from './experience-links.query.js';
import { ExperienceLinksRepository, type LinkedView } from './experience-links.repository.js';
import type { ExperienceLinkedResources } from './experience-links.resource.js';
import { componentPattern, componentsIn } from './view-links.rules.js';

/** Finds the resources linked to parts of an experience. */
@Injectable()
export class ExperienceLinksService {
  constructor(
    private readonly links: ExperienceLinksRepository,
    private readonly views: ExperienceViewsService,
    private readonly versions: ExperienceVersionsRepository,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  async ofView(
    application: ApplicationAccess,
    id: string,
    query: LinksQuery,
  ): Promise<ExperienceLinkedResources> {
    const version = await this.versions.frozen(application.id, query.version);
    const view = (await this.views.get(application.id, id, query.version)).toObject();
    const linked: LinkedView = {
      id,
      layoutId: view.layoutId ?? null,
      components: componentsIn(view.body),
      pattern: componentPattern(view),
    };
    const { flows, flowVersions } = await this.workflows(application, linked, query, version);
    return {
      experienceViews: shown(await this.links.views(application, linked, version)),
      experienceEndpoints: shown(await this.links.endpoints(application, linked, version)),
      flows: shown(flows),
      flowVersions: shown(flowVersions),
    };
  }

  /** Returns the workflows in `develop` or in a version, and the custom nodes that they execute if requested. */
  private async workflows(
    application: ApplicationAccess,
    view: LinkedView,
    query: LinksQuery,
    version: KnownVersion | undefined,
  ): Promise<{ flows: StoredPage<Flow>; flowVersions: StoredPage<FlowVersion> }> {
    const { id } = application;
    if (version) {
      const listed = this.links.flowVersions(application, view, version);
      const flowVersions = await this.customNodes.pageWithCustomNodes(listed, id, query);
      const none = new StoredPage<Flow>([], { ...flowVersions.envelope, totalCount: 0, sortField: 'name' });
      return withCustomNodes(none, flowVersions, flowVersions.rows);
    }
    const flows = await this.customNodes.pageWithCustomNodes(this.links.flows(application, view), id, query);
    const none = new StoredPage<FlowVersion>([], { ...flows.envelope, totalCount: 0, sortField: 'version' });
    return withCustomNodes(flows, none, flows.rows);
  }
}

const withCustomNodes = (
  flows: StoredPage<Flow>,
  flowVersions: StoredPage<FlowVersion>,
  { customNodes = [], customNodeVersions = [] }: StoredPage<unknown>['rows'],
) => ({
  flows: withMore(flows, customNodes as readonly StoredResource<Flow>[]),
  flowVersions: withMore(flowVersions, customNodeVersions as readonly StoredResource<FlowVersion>[]),
});

/** Returns a page with additional items that are on no other page. */
const withMore = <T>({ items, envelope }: StoredPage<T>, more: readonly StoredResource<T>[]): StoredPage<T> =>
  new StoredPage([...items, ...more], {
    ...envelope,
    totalCount: (envelope.totalCount as number) + more.length,
  });

/**
 * Converts a stored page to a property of a response. Only responses that are a stored page themselves are sent as
 * unparsed text.
 */
const shown = <T>({ items, envelope }: StoredPage<T>): Page<T> =>
  ({ ...envelope, count: items.length, items: items.map((item) => item.toObject()) }) as unknown as Page<T>;
