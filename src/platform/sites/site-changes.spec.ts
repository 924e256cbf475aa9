import { setImmediate as turn } from 'node:timers/promises';
import type { Revocations } from '../access/revocations.js';
import { SiteChanges, type SiteChange } from './site-changes.js';

/** Revocations whose messages arrive when the test says so. */
class Messages {
  readonly sent: string[] = [];
  private readonly arrivals: (() => void)[] = [];
  private told: (word: string) => void = () => undefined;

  readonly revocations = {
    announce: (_topic: string, word: string) => {
      this.sent.push(word);
      return new Promise<void>((resolve) => this.arrivals.push(resolve));
    },
    listen: (_topic: string, { revoked }: { revoked: (word: string) => void }) => (this.told = revoked),
  } as unknown as Revocations;

  /** The last message arrives at all processes. */
  async arrive(): Promise<void> {
    this.told(this.sent.at(-1)!);
    this.arrivals.pop()!();
    await turn();
  }
}

const application = (id: string): SiteChange => ({ kind: 'application', id });

describe('SiteChanges', () => {
  it('joins changes that happen while a message is on its way', async () => {
    const messages = new Messages();
    const changes = new SiteChanges(messages.revocations);
    const ended: string[] = [];
    const announce = (change: SiteChange) => void changes.announce(change).then(() => ended.push(change.id));

    announce(application('1'));
    await turn();
    for (const id of ['2', '3', '2']) announce(application(id));
    announce({ kind: 'user', id: '4' });
    await turn();
    expect(messages.sent).toEqual(['a1']);
    expect(ended).toEqual([]);

    await messages.arrive();
    expect(messages.sent).toEqual(['a1', 'a2,a3,u4']);
    expect(ended).toEqual(['1']);

    announce(application('5'));
    await messages.arrive();
    expect(ended).toEqual(['1', '2', '3', '2', '4']);
    await messages.arrive();
    expect(messages.sent.at(-1)).toBe('a5');
    expect(ended.at(-1)).toBe('5');
  });

  it('tells the listener each change, before the response and when its message arrives', async () => {
    const messages = new Messages();
    const changes = new SiteChanges(messages.revocations);
    const told: SiteChange[] = [];
    changes.listen({ changed: (change) => told.push(change), missed: () => undefined });
    void changes.announce(application('1'));
    await turn();
    void changes.announce(application('2'));
    void changes.announce({ kind: 'user', id: '3' });
    await messages.arrive();
    await messages.arrive();
    expect(told.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'application 1',
      'application 2',
      'user 3',
      'application 1',
      'application 2',
      'user 3',
    ]);
  });
});
