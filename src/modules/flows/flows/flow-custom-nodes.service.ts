import { Injectable } from '@nestjs/common';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import type { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowCustomNodesRepository } from './flow-custom-nodes.repository.js';
import type { FlowVersion } from './flow-version.resource.js';
import type { Flow } from './flow.resource.js';
import { referencesOf } from '../../../workflows/graph/references.js';

/** Adds custom nodes to responses with workflows, on request. */
@Injectable()
export class FlowCustomNodesService {
  constructor(private readonly customNodes: FlowCustomNodesRepository) {}

  async withCustomNodes<T extends Flow | FlowVersion>(
    answered: Promise<StoredResource<T>>,
    applicationId: string,
    { includeCustomNodes }: CustomNodesQuery,
  ): Promise<StoredResource<T>> {
    const one = await answered;
    if (!includeCustomNodes) return one;
    return one.withRows(await this.customNodesOf(applicationId, [one]));
  }

  async pageWithCustomNodes<T extends Flow | FlowVersion>(
    answered: Promise<StoredPage<T>>,
    applicationId: string,
    { includeCustomNodes }: CustomNodesQuery,
  ): Promise<StoredPage<T>> {
    const page = await answered;
    if (!includeCustomNodes) return page;
    return new StoredPage(page.items, page.envelope, await this.customNodesOf(applicationId, page.items));
  }

  /** Executes two statements, or none if the workflows refer to no custom node. */
  private async customNodesOf(applicationId: string, answers: readonly StoredResource<Flow | FlowVersion>[]) {
    const nodes = answers.flatMap((answer) => answer.toObject().nodes ?? []);
    const { customNodes: references } = referencesOf({ nodes });
    if (references.length === 0) return { customNodes: [], customNodeVersions: [] };
    return {
      customNodes: await this.customNodes.flows(applicationId, references),
      customNodeVersions: await this.customNodes.versions(applicationId, references),
    };
  }
}
