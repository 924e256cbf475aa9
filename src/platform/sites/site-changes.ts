import { Injectable } from '@nestjs/common';
import { Revocations } from '../access/revocations.js';
import { afterCommit } from '../database/atomic.js';

/** What processes that serve experiences may have cached. */
export type SiteChange =
  /** Endpoints, views, groups, versions, workflows and settings of an application, and the hosts that lead to it. */
  | { readonly kind: 'application'; readonly id: string }
  /** A user of an experience, with groups and tokens. */
  | { readonly kind: 'user'; readonly id: string }
  /** A slug or domain, which may have led nowhere before. */
  | { readonly kind: 'host'; readonly id: string };

/** Callbacks of a process that serves experiences. */
export interface SiteListener {
  changed(change: SiteChange): void;
  /** Called if changes may have been missed. */
  missed(): void;
}

const LETTERS: Readonly<Record<SiteChange['kind'], string>> = { application: 'a', user: 'u', host: 'h' };
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as SiteChange['kind']]));

/** Announces changes of experiences to the processes that serve them, so that they take effect on the next request. */
@Injectable()
export class SiteChanges {
  private listener?: SiteListener;

  constructor(private readonly revocations: Revocations) {}

  /** Whether this process currently receives every change, so that it may cache. */
  get isConnected(): boolean {
    return this.revocations.isConnected;
  }

  listen(listener: SiteListener): void {
    this.listener = listener;
    this.revocations.listen('sites', {
      revoked: (words) => this.tell(words),
      missed: () => listener.missed(),
    });
  }

  /**
   * Announces a change of an application's experience, and of slugs and domains. Resolves when no process serves what was
   * before.
   */
  ofApplication(applicationId: string, hosts: readonly string[] = []): Promise<void> {
    return this.announce([
      { kind: 'application', id: applicationId },
      ...hosts.map((id) => ({ kind: 'host', id }) as const),
    ]);
  }

  /** Announces a change of a user of an experience. */
  ofUser(id: string): Promise<void> {
    return this.announce([{ kind: 'user', id }]);
  }

  private announce(changes: readonly SiteChange[]): Promise<void> {
    const words = changes.map(({ kind, id }) => LETTERS[kind] + id).join(',');
    return afterCommit(() => {
      this.tell(words);
      return this.revocations.announce('sites', words);
    });
  }

  private tell(words: string): void {
    for (const word of words.split(',')) {
      const kind = KINDS.get(word[0]!);
      if (kind) this.listener?.changed({ kind, id: word.slice(1) });
    }
  }
}
