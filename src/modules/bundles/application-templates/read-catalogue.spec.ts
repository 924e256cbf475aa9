import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BundleWork } from '../../../platform/bundles/bundle-work.js';
import { readCatalogue } from './read-catalogue.js';

const work = new BundleWork();
afterAll(() => work.onModuleDestroy());

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fieldwright-catalogue-'));
});
afterEach(() => rm(root, { recursive: true }));

const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
};
const application = (facts = 'name: Pumps') =>
  `resourceType: Application\nresources:\n  - ${facts}\nversion: 1\n`;

describe('template catalog', () => {
  it('consists of template folders within category folders', async () => {
    await write({
      'a/index.yaml': 'name: Industry\nresourceTypes: null\n',
      'a/b/index.yaml': 'name: Water\ndescription: Wet\nresourceTypes: [CustomNode]\n',
      'a/b/pumps/application.yaml': application(
        '{name: Pumps, keywords: [x, y, x], lastUpdated: 2026-01-02T00:00:00Z}',
      ),
      'a/b/pumps/README.md': '# Pumps',
      'a/b/pumps/devices.yaml':
        'resourceType: DeviceTree\nresources: [{name: s, children: [{name: p}, {name: q}]}]\n',
      'a/b/pumps/more/devices.yaml': 'resourceType: Device\nresources: [{name: r}]\n',
      'a/b/pumps/workflows/cloud/W.yaml': 'resourceType: Flow\nresources: [{name: w}]\n',
      'a/b/pumps/dataTables/t.yaml': 'resourceType: DataTable\nresources: [{name: t}]\n',
      'a/b/pumps/dataTables/t.csv': 'id,n\n',
      'a/b/pumps/files/docs/a.txt': 'a',
      'a/b/pumps/files/docs/settings.yaml': '[not, a, resource]',
      'bare/application.yaml': application(),
      'notes/readme.txt': 'no category and no template',
    });
    const { entries, categories, faults } = await readCatalogue(root, work);
    expect(faults).toEqual([]);
    expect(categories).toMatchObject([
      { name: 'Industry' },
      { name: 'Water', description: 'Wet', resourceTypes: ['CustomNode'], parentId: categories[0]!.id },
    ]);
    const [pumps, bare] = entries;
    expect(pumps).toMatchObject({
      folder: join(root, 'a/b/pumps'),
      template: {
        name: 'Pumps',
        keywords: ['x', 'y'],
        readme: '# Pumps',
        creationDate: '2026-01-02T00:00:00.000Z',
        lastUpdated: '2026-01-02T00:00:00.000Z',
        categoryIds: categories.map(({ id }) => id),
        summary: {
          deviceCount: 4,
          flowCount: 1,
          dataTableCount: 1,
          dataTableCsvSize: 5,
          fileCount: 2,
          webhookCount: 0,
        },
      },
    });
    expect(bare!.template).toMatchObject({ categoryIds: [], keywords: [], readme: '' });
    const again = await readCatalogue(root, work);
    expect(again).toEqual({ entries, categories, faults });
    const ids = [...entries.map(({ template }) => template.id), ...categories.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[a-f\d]{24}$/);
  });

  it.each([
    ['application.yaml', 'resources: []', 'application.yaml: resources must be a list of one application'],
    ['application.yaml', application('description: none'), 'application.yaml: resources.0.name is required'],
    [
      'application.yaml',
      application('{name: a, keywords: [a b]}'),
      'application.yaml: resources.0.keywords.0 must match',
    ],
    [
      'application.yaml',
      application('{name: a, creationDate: soon}'),
      'application.yaml: resources.0.creationDate',
    ],
    ['application.yaml', 'a: [', 'application.yaml: '],
    ['application.yaml', 'a: &x 1\nb: *x\n', 'application.yaml: '],
    ['application.yaml', 'a: !!js/function 1\n', 'application.yaml: '],
    ['devices.yaml', 'resourceType: DeviceTree\n', 'devices.yaml: resources must be a list'],
    ['webhooks.yaml', 'a: 1\na: 2\n', 'webhooks.yaml: '],
  ])('omits and reports a template whose %s is invalid (%j)', async (file, content, fault) => {
    await write({ 'a/bad/application.yaml': application(), [`a/bad/${file}`]: content });
    await write({ 'a/index.yaml': 'name: A\n', 'a/good/application.yaml': application('name: Good') });
    const { entries, categories, faults } = await readCatalogue(root, work);
    expect(entries.map(({ template }) => template.name)).toEqual(['Good']);
    expect(categories).toHaveLength(1);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`a/bad: ${fault}`);
  });

  it('omits an invalid category with its contents', async () => {
    await write({
      'a/index.yaml': 'resourceTypes: [Flow]\nname: A\n',
      'a/b/application.yaml': application(),
    });
    const { entries, faults } = await readCatalogue(root, work);
    expect(entries).toEqual([]);
    expect(faults).toEqual([expect.stringContaining('a: index.yaml.resourceTypes.0 must be one of')]);
  });

  it('rejects if the folder does not exist', async () => {
    await expect(readCatalogue(join(root, 'absent'), work)).rejects.toThrow('ENOENT');
  });
});

describe('built-in template catalog', () => {
  it('is valid, and every template has a description and an author', async () => {
    const { entries, categories, faults } = await readCatalogue('templates', work);
    expect(faults).toEqual([]);
    expect(entries.length).toBeGreaterThanOrEqual(6);
    for (const { template } of entries) {
      expect(template.description).toBeTruthy();
      expect(template.authorName).toBe('Fieldwright');
      expect(template.keywords.length).toBeGreaterThan(1);
      expect(template.readme).toMatch(new RegExp(`^# ${template.name}\n`));
      expect(template.summary.flowCount).toBeGreaterThan(1);
      expect(template.categoryIds).toHaveLength(1);
    }
    const used = new Set(entries.flatMap(({ template }) => template.categoryIds));
    expect([...used].sort()).toEqual(categories.map(({ id }) => id).sort());
  });
});
