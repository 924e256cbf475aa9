import { LIMITS, type ConsoleMessage } from './script-engine.js';

/** Messages of the `console` of one call, up to a maximum number. */
export class ConsoleMessages {
  readonly all: ConsoleMessage[] = [];

  add(level: string, text: string): void {
    if (this.all.length < LIMITS.messages) this.all.push({ level: level as ConsoleMessage['level'], text });
    else if (this.all.length === LIMITS.messages)
      this.all.push({ level: 'warn', text: 'More console messages are not shown' });
  }
}
