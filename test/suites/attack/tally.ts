/** Responses to attacks by kind, and the violations found. */
export class Tally {
  requests = 0;
  readonly violations: string[] = [];
  /** Longest time that the platform was blocked, in milliseconds. */
  longestBlock = 0;
  private readonly kinds = new Map<string, Map<number, number>>();
  private readonly began = performance.now();

  count(kind: string, status: number): void {
    this.requests++;
    const statuses = this.kinds.get(kind) ?? new Map<number, number>();
    this.kinds.set(kind, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  /** Returns a Markdown report; `about` describes the run. */
  report(about: string): string {
    const seconds = (performance.now() - this.began) / 1000;
    return [
      '# Attack',
      about,
      `${this.requests} requests in ${Math.round(seconds)} s. The platform was blocked for at most ${Math.round(this.longestBlock)} ms.`,
      this.table(),
      '## Violations',
      this.violations.length === 0 ? 'None.' : this.violations.map((one) => `- ${one}`).join('\n'),
      '',
    ].join('\n\n');
  }

  private table(): string {
    const statuses = [...new Set([...this.kinds.values()].flatMap((kind) => [...kind.keys()]))].sort();
    const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
    const rows = [...this.kinds].sort().map(([kind, counts]) => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return row([kind, all, ...statuses.map((status) => counts.get(status) ?? '')]);
    });
    const head = ['Attack on', 'requests', ...statuses];
    return [row(head), row(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows].join('\n');
  }
}
