import { Published, type PublishedFile } from '../contract/published.js';
import { familyFiles } from '../setup/family-files.js';
import { suite } from '../setup/suite.js';

const files = await familyFiles<PublishedFile>('published');
const env: Record<string, string> = {};
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  for (const { prepare } of files) if (prepare) ends.push(await prepare(env));
});
afterAll(async () => {
  for (const end of ends) await end();
});
const { test } = suite(env);

describe('the published client', () => {
  const published = new Published(test);
  for (const { drive } of files) drive(published);

  it('drives every operation that it has', () => {
    const left = published.operations().filter((name) => !published.driven.has(name));
    expect(left).toEqual([]);
  });
});
