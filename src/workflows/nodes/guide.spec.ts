import { readFileSync } from 'node:fs';
import { NODE_KINDS } from './index.js';

const guide = readFileSync('docs/guides/workflows.md', 'utf8');

it('the guide names the nodes that run on the platform, and no others', () => {
  // Custom nodes can also contain nodes of edge devices.
  const running = [...NODE_KINDS.values()].filter(
    ({ run, classes }) => run && (classes.includes('cloud') || !classes.includes('edge')),
  );
  const named = new Set(Array.from(guide.matchAll(/`([A-Z]\w+Node)`/g), ([, type]) => type!));
  expect([...named].sort()).toEqual(running.map(({ type }) => type).sort());
});
