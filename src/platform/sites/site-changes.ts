import { Injectable } from '@nestjs/common';
import { Revocations } from '../access/revocations.js';
import { afterCommit } from '../database/atomic.js';

/**
 * What processes that serve the public may have cached: an application with its experience and webhooks, or a user of an
 * experience.
 */
export interface SiteChange {
  readonly kind: 'application' | 'user';
  readonly id: string;
}

/** Callbacks of a cache. */
export interface SiteListener {
  changed(change: SiteChange): void;
  /** Called if changes may have been missed. */
  missed(): void;
}

/** Maximum number of changes in one message. */
const MAX_WORDS = 1_000;
const LETTERS: Readonly<Record<SiteChange['kind'], string>> = { application: 'a', user: 'u' };
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as SiteChange['kind']]));

/**
 * Announces changes of experiences and webhooks to the processes that serve them, so that they take effect on the next
 * request.
 */
@Injectable()
export class SiteChanges {
  private readonly listeners: SiteListener[] = [];
  /** The announcement on its way. */
  private current: Promise<void> = Promise.resolve();
  /** The next announcement, with the words of all changes that happen while one is on its way. */
  private next?: { words: Set<string>; announced: Promise<void> };

  constructor(private readonly revocations: Revocations) {
    revocations.listen('sites', {
      revoked: (words) => this.tell(words),
      missed: () => this.listeners.forEach((listener) => listener.missed()),
    });
  }

  /** Whether this process currently receives every change, so that it may cache. */
  get isConnected(): boolean {
    return this.revocations.isConnected;
  }

  listen(listener: SiteListener): void {
    this.listeners.push(listener);
  }

  /** Announces a change after the commit. Resolves when no process serves the previous state. */
  async announce({ kind, id }: SiteChange): Promise<void> {
    const word = LETTERS[kind] + id;
    await afterCommit(() => {
      this.tell(word);
      return this.send(word);
    });
  }

  /** Joins the changes of many concurrent requests: an announcement is a message to each process. */
  private send(word: string): Promise<void> {
    if (this.next && this.next.words.size < MAX_WORDS) this.next.words.add(word);
    else {
      const words = new Set([word]);
      const begin = () => {
        if (this.next?.words === words) this.next = undefined;
        return this.revocations.announce('sites', [...words].join());
      };
      this.next = { words, announced: (this.current = this.current.then(begin)) };
    }
    return this.next.announced;
  }

  private tell(words: string): void {
    for (const word of words.split(',')) {
      const kind = KINDS.get(word[0]!);
      if (kind) for (const listener of this.listeners) listener.changed({ kind, id: word.slice(1) });
    }
  }
}
