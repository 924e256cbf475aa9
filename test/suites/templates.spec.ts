import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { checkGraph } from '../../src/workflows/graph/graph.rules.js';
import { forAjv } from '../../src/platform/responses/contract.js';

type Resource = Record<string, any>;

/** Schemas of the bodies that create the resources of a file. */
const BODIES: Readonly<Record<string, string>> = {
  Application: 'ApplicationPost',
  DataTable: 'DataTablePost',
  DeviceRecipe: 'DeviceRecipePost',
  DeviceTree: 'DevicePost',
  ExperienceEndpoint: 'ExperienceEndpointPost',
  ExperienceFlowVersion: 'FlowPost',
  ExperienceGroupTree: 'ExperienceGroupPost',
  ExperienceUser: 'ExperienceUserPatch',
  ExperienceVersion: 'ExperienceVersionPost',
  ExperienceView: 'ExperienceViewPost',
  Flow: 'FlowPost',
  Webhook: 'WebhookPost',
};
/** Properties of resources in files that are not in these bodies. */
const FILE_PROPERTIES = ['id', 'children', 'localFilename', 'readmePath'];
/** Additional properties of experience resources that are not in these bodies. */
const OF_EXPERIENCE: Readonly<Record<string, readonly string[]>> = {
  ExperienceEndpoint: ['version'],
  ExperienceFlowVersion: ['version', 'flowId'],
  ExperienceView: ['version'],
};
const OF_TEMPLATES = ['authorName', 'keywords', 'creationDate', 'lastUpdated'];
const PLACEHOLDER = /~exportplaceholderid-[a-zA-Z]+-[a-zA-Z0-9]+~/g;

const { components } = JSON.parse(readFileSync('openapi/openapi.json', 'utf8')) as { components: object };
const ajv = new Ajv({ strict: false });
(addFormatsModule as unknown as (ajv: Ajv) => void)(ajv);
ajv.addSchema({ $id: 'document', components: forAjv(components) as object });

const files = readdirSync('templates', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && basename(path) !== 'index.yaml')
  .sort();
const templateOf = (path: string): string => path.split(/[\\/]/).slice(0, 2).join('/');
const textOf = (path: string): string => readFileSync(join('templates', path), 'utf8');
const withChildren = (resources: readonly Resource[]): Resource[] =>
  resources.flatMap((resource) => [resource, ...withChildren(resource.children ?? [])]);
/** Returns the resources of a file, with IDs instead of placeholders. */
function resourcesOf(path: string): { resourceType: string; resources: Resource[] } {
  const ids = new Map<string, string>();
  const text = textOf(path).replace(PLACEHOLDER, (placeholder) => {
    if (!ids.has(placeholder)) ids.set(placeholder, ids.size.toString(16).padStart(24, 'a'));
    return ids.get(placeholder)!;
  });
  const { resourceType, resources } = parse(text) as { resourceType: string; resources: Resource[] };
  return { resourceType, resources: withChildren(resources) };
}

describe.each(files)('templates/%s', (path) => {
  const { resourceType, resources } = resourcesOf(path);

  it('contains only valid resources', () => {
    const validate = ajv.getSchema(`document#/components/schemas/${BODIES[resourceType]}`)!;
    for (const resource of resources) {
      const more = resourceType === 'Application' ? OF_TEMPLATES : (OF_EXPERIENCE[resourceType] ?? []);
      const left = [...FILE_PROPERTIES, ...more];
      const body = Object.fromEntries(Object.entries(resource).filter(([name]) => !left.includes(name)));
      void validate(body);
      expect([resource.name, ajv.errorsText(validate.errors)]).toEqual([resource.name, 'No errors']);
      if (resourceType === 'Flow') checkGraph(body.flowClass, body);
      if (resourceType === 'ExperienceFlowVersion') checkGraph('experience', body);
    }
  });
});

describe.each([...new Set(files.map(templateOf))])('The template %s', (template) => {
  const own = files.filter((path) => templateOf(path) === template);

  it('references only its own resources', () => {
    const held = new Set(
      own.flatMap((path) =>
        withChildren((parse(textOf(path)) as { resources: Resource[] }).resources).flatMap(
          ({ id, flowId }) => [id, flowId],
        ),
      ),
    );
    const named = new Set(own.flatMap((path) => textOf(path).match(PLACEHOLDER) ?? []));
    expect([...named].filter((placeholder) => !held.has(placeholder))).toEqual([]);
  });

  it('has table rows that match the columns', () => {
    for (const path of own.filter((each) => basename(dirname(each)) === 'dataTables')) {
      const [table] = resourcesOf(path).resources;
      const [heading, ...rows] = textOf(join(dirname(path), table!.localFilename))
        .trim()
        .split('\n');
      const columns: string[] = table!.columns.map(({ name }: Resource) => name);
      expect(heading).toBe(['id', ...columns].join(','));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row.split(',')).toHaveLength(columns.length + 1);
    }
  });
});
