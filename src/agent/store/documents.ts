import type { Store } from './store.js';

/** Single values of the agent by name, such as the synced device. */
export class Documents {
  constructor(private readonly store: Store) {}

  get(name: string): unknown {
    const row = this.store.get('SELECT json FROM documents WHERE name = ?', [name]);
    return row && JSON.parse(String(row.json));
  }

  set(name: string, value: unknown): void {
    this.store.run('INSERT OR REPLACE INTO documents VALUES (?, ?)', [name, JSON.stringify(value)]);
  }

  delete(name: string): void {
    this.store.run('DELETE FROM documents WHERE name = ?', [name]);
  }
}
