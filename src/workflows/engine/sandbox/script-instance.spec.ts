import { quickJsModule } from './quickjs-module.js';
import { SETTINGS } from './script-hosts.js';
import { instanceTemplate, ScriptInstance } from './script-instance.js';

it('a script cannot catch its interruption, also within functions of the host', async () => {
  const template = await instanceTemplate(quickJsModule(), SETTINGS);
  const script = `
    const text = 'x'.repeat(4096);
    for (;;) try { console.log(text); Math.random(); } catch (error) { return String(error.stack); }`;
  for (let last = 1; last <= 100; last++) {
    const instance = await ScriptInstance.create(quickJsModule(), template);
    let checks = 0;
    const limit = { timeMs: 1, isSpent: () => ++checks === last };
    const answer = instance.call({ key: 'a', script, text: '[{}]' }, limit);
    expect(answer).toMatchObject({ error: { name: 'TimeoutError' } });
    expect(instance.isBroken).toBe(true);
    expect(checks).toBe(last);
  }
});
