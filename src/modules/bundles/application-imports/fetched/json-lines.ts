import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';

const BUFFER_BYTES = 512 * 1024;

/** Values spooled to disk as JSON lines. */
export class JsonLines<T> {
  count = 0;
  private waiting: string[] = [];
  private length = 0;

  constructor(private readonly file: string) {}

  async add(value: T): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.waiting.push(line);
    this.length += line.length;
    this.count++;
    if (this.length > BUFFER_BYTES) await this.flush();
  }

  /** Yields all values in insertion order. */
  async *read(): AsyncGenerator<T> {
    if (this.count === 0) return;
    await this.flush();
    let rest = '';
    // `readline` also splits lines at U+2028, which JSON allows in texts.
    for await (const chunk of createReadStream(this.file, 'utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as T;
    }
  }

  /** Yields all values in batches of at most `max`. */
  async *batches(max: number): AsyncGenerator<T[]> {
    let batch: T[] = [];
    for await (const value of this.read()) {
      batch.push(value);
      if (batch.length < max) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private async flush(): Promise<void> {
    const lines = this.waiting.join('');
    this.waiting = [];
    this.length = 0;
    if (lines) await appendFile(this.file, lines);
  }
}
