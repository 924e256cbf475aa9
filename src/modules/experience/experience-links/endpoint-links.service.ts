import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ID_PATTERN } from '../../../platform/fields/fields.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import type { ExperienceEndpoint } from '../experience-endpoints/experience-endpoint.resource.js';
import { ExperienceEndpointsRepository } from '../experience-endpoints/experience-endpoints.repository.js';
import { ExperienceEndpointsService } from '../experience-endpoints/experience-endpoints.service.js';
import { bestMatch } from '../experience-endpoints/route.js';
import { ExperienceVersionsRepository } from '../experience-versions/experience-versions.repository.js';
import type { ExperienceView } from '../experience-views/experience-view.resource.js';
import { FlowCustomNodesRepository } from '../../flows/flows/flow-custom-nodes.repository.js';
import type { FlowVersion } from '../../flows/flows/flow-version.resource.js';
import type { Flow } from '../../flows/flows/flow.resource.js';
import { referencesOf } from '../../../workflows/graph/references.js';
import {
  EndpointLinksRepository,
  MAX_LINKED,
  type ExperienceVersionRef,
} from './endpoint-links.repository.js';
import type { LinksQuery } from './experience-links.query.js';
import type { ExperienceLinkedResources } from './experience-links.resource.js';
import { componentsIn } from './view-links.rules.js';

const ID = new RegExp(ID_PATTERN);
const BY_ORDER: ListParameters = { sortField: 'order', sortDirection: 'asc', page: 0, perPage: 0 };

/** Finds the resources linked to endpoints of experiences. */
@Injectable()
export class EndpointLinksService {
  constructor(
    private readonly endpoints: ExperienceEndpointsService,
    private readonly rows: ExperienceEndpointsRepository,
    private readonly versions: ExperienceVersionsRepository,
    private readonly customNodes: FlowCustomNodesRepository,
    private readonly links: EndpointLinksRepository,
  ) {}

  /**
   * Returns the views that an endpoint of a version replies with, the endpoints it redirects to and the workflows it
   * triggers.
   */
  async ofEndpoint(
    application: ApplicationAccess,
    id: string,
    { version, includeCustomNodes }: LinksQuery,
  ): Promise<ExperienceLinkedResources> {
    const place = await this.findVersion(application, version);
    const endpoint = (await this.endpoints.get(application.id, id, version)).toObject();
    const [views, led, flows, flowVersions] = await Promise.all([
      this.viewsOf(place, endpoint),
      this.endpointsOf(place, endpoint),
      this.links.flowsOf(place, id),
      place.versionId === undefined ? noVersions() : this.links.flowVersionsOf(place, id),
    ]);
    const nodes = includeCustomNodes
      ? await this.customNodesOf(application.id, [flows, flowVersions])
      : undefined;
    const envelope = { applicationId: application.id };
    return {
      experienceViews: wholePage(views, 'name').toObject(envelope),
      experienceEndpoints: wholePage(led, 'order').toObject(envelope),
      flows: extended(flows, nodes?.flows).toObject(envelope),
      flowVersions: extended(flowVersions, nodes?.versions).toObject(envelope),
    };
  }

  private async findVersion(application: ApplicationAccess, version: string): Promise<ExperienceVersionRef> {
    const { id, name } = await this.versions.findKnownOrFail(application.id, version);
    return { application, version: name, versionId: id === application.id ? undefined : id };
  }

  /** Returns the pages that the endpoint replies with, their layouts and the components of all these views. */
  private async viewsOf(
    place: ExperienceVersionRef,
    { staticReply, unauthorizedReply }: ExperienceEndpoint,
  ): Promise<StoredResource<ExperienceView>[]> {
    const ids = [staticReply, unauthorizedReply].flatMap((reply) =>
      reply?.type === 'page' && ID.test(reply.value) ? [reply.value.toLowerCase()] : [],
    );
    if (ids.length === 0) return [];
    const found = new Map<string, StoredResource<ExperienceView>>();
    let next = await this.links.views(place, (given) => `t.id = ANY (${given}::text[])`, ids);
    const layouts = next.flatMap((page) => page.text('layoutId') ?? []);
    if (layouts.length > 0)
      next.push(...(await this.links.views(place, (given) => `t.id = ANY (${given}::text[])`, layouts)));
    // Components can be nested. Each is visited once, so the loop ends.
    const named = new Set<string>();
    while (next.length > 0) {
      for (const view of next) found.set(view.text('id')!, view);
      const names = next
        .flatMap((view) => componentsIn(view.text('body')!))
        .filter((name) => !named.has(name));
      names.forEach((name) => named.add(name));
      if (names.length === 0 || found.size >= MAX_LINKED) break;
      const component = (given: string) => `t.view_type = 'component' AND t.name = ANY (${given}::text[])`;
      next = await this.links.views(place, component, names);
    }
    return [...found.values()].slice(0, MAX_LINKED);
  }

  /** Returns the endpoints that redirects lead to. */
  private async endpointsOf(
    { application, versionId }: ExperienceVersionRef,
    { staticReply, unauthorizedReply }: ExperienceEndpoint,
  ): Promise<StoredResource<ExperienceEndpoint>[]> {
    const paths = [staticReply, unauthorizedReply].flatMap((reply) =>
      reply?.type === 'redirect' && reply.value.startsWith('/') ? [reply.value.split(/[?#]/)[0]!] : [],
    );
    if (paths.length === 0) return [];
    const all = await this.rows.listOf(application, { list: BY_ORDER, versionId });
    const served = all.items
      .map((stored) => ({ stored, route: stored.text('route')! }))
      .filter(({ stored }) => stored.text('method') === 'get' && stored.text('enabled') === 't');
    const led = paths.flatMap((path) => bestMatch(served, path)?.stored ?? []);
    return [...new Set(led)];
  }

  /** Returns the custom nodes that workflows execute. */
  private async customNodesOf(applicationId: string, pages: readonly StoredPage<Flow | FlowVersion>[]) {
    const nodes = pages.flatMap(({ items }) => items.flatMap((item) => item.toObject().nodes));
    const { customNodes: references } = referencesOf({ nodes });
    if (references.length === 0) return { flows: [], versions: [] };
    return {
      flows: await this.customNodes.flows(applicationId, references),
      versions: await this.customNodes.versions(applicationId, references),
    };
  }
}

const wholePage = <T>(items: readonly StoredResource<T>[], sortField: string): StoredPage<T> =>
  new StoredPage(items, {
    totalCount: items.length,
    page: 0,
    perPage: MAX_LINKED,
    sortField,
    sortDirection: 'asc',
  });

const noVersions = (): Promise<StoredPage<FlowVersion>> => Promise.resolve(wholePage([], 'flowId'));

/** Returns a page with additional items at its end. */
function extended<T>(
  { items, envelope }: StoredPage<T>,
  more: readonly StoredResource<T>[] = [],
): StoredPage<T> {
  const totalCount = (envelope.totalCount as number) + more.length;
  return new StoredPage([...items, ...more], { ...envelope, totalCount });
}
