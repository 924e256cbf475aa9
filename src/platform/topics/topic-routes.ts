import { FilterTree } from './filter-tree.js';
import { hasWildcard } from '../../lib/mqtt/topic-filter.js';
import type { TopicMessage, TopicReader } from './topic-message.js';

/** Readers of an application in this process. Most topics have one reader, which then needs no set. */
interface ApplicationRoutes {
  readonly exact: Map<string, TopicReader | Set<TopicReader>>;
  tree?: FilterTree<TopicReader>;
}

/** Finds the readers of messages in this process. */
export class TopicRoutes {
  private readonly applications = new Map<string, ApplicationRoutes>();

  add(applicationId: string, filter: string, reader: TopicReader): void {
    let routes = this.applications.get(applicationId);
    if (!routes) this.applications.set(applicationId, (routes = { exact: new Map() }));
    if (hasWildcard(filter)) return (routes.tree ??= new FilterTree()).add(filter, reader);
    const present = routes.exact.get(filter);
    if (present === undefined) routes.exact.set(filter, reader);
    else if (present instanceof Set) present.add(reader);
    else if (present !== reader) routes.exact.set(filter, new Set([present, reader]));
  }

  delete(applicationId: string, filter: string, reader: TopicReader): void {
    const routes = this.applications.get(applicationId);
    if (!routes) return;
    if (hasWildcard(filter)) routes.tree?.delete(filter, reader);
    else {
      const present = routes.exact.get(filter);
      if (present === reader) routes.exact.delete(filter);
      else if (present instanceof Set && present.delete(reader) && present.size === 0)
        routes.exact.delete(filter);
    }
    if (routes.tree?.size === 0) routes.tree = undefined;
    if (routes.exact.size === 0 && !routes.tree) this.applications.delete(applicationId);
  }

  /** Returns whether a topic without wildcards has readers. */
  hasReaders(applicationId: string, topic: string): boolean {
    return this.applications.get(applicationId)?.exact.has(topic) ?? false;
  }

  /** Returns whether filters with wildcards have readers. */
  hasWildcards(applicationId: string): boolean {
    return this.applications.get(applicationId)?.tree !== undefined;
  }

  /** Passes a message to the readers of its key. */
  deliverExact(message: TopicMessage): void {
    const readers = this.applications.get(message.applicationId)?.exact.get(message.key);
    if (readers instanceof Set) for (const reader of readers) reader.receive(message);
    else readers?.receive(message);
  }

  /** Passes a message to the readers of filters with wildcards. */
  deliverByWildcards(message: TopicMessage): void {
    this.applications
      .get(message.applicationId)
      ?.tree?.match(message.topic, (reader) => reader.receive(message));
  }
}
