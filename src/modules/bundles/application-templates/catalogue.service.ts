import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { Config } from '../../../config/config.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { matchesGlob } from '../../../platform/lists/glob.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { readCatalogue, type Catalogue, type CatalogueEntry } from './read-catalogue.js';
import type {
  ApplicationTemplate,
  ApplicationTemplateCategories,
  ApplicationTemplates,
  TemplateKeywords,
} from './template.resource.js';
import { MAX_KEYWORDS } from './template.schemas.js';
import type { TemplatesQuery } from './templates.query.js';

const BUILT_IN_FOLDER = fileURLToPath(
  new URL(
    import.meta.url.includes('/dist/') ? '../../../../../templates' : '../../../../templates',
    import.meta.url,
  ),
);

let builtIn: Promise<Catalogue> | undefined;

/** Built-in catalog, read once per process. */
const readBuiltIn = (): Promise<Catalogue> => (builtIn ??= readCatalogue(BUILT_IN_FOLDER));

type Sorted = 'name' | 'id' | 'creationDate' | 'lastUpdated';

/** Template catalog. It is read once at startup; invalid entries are omitted and logged. */
@Injectable()
export class TemplateCatalogue implements OnModuleInit {
  private readonly logger = new Logger(TemplateCatalogue.name);
  private catalogue: Catalogue = { entries: [], categories: [], faults: [] };

  constructor(@Inject(Config) private readonly config: Config) {}

  async onModuleInit(): Promise<void> {
    const { TEMPLATES_DIR: folder } = this.config;
    try {
      this.catalogue = await (folder ? readCatalogue(folder) : readBuiltIn());
    } catch (error) {
      this.logger.warn(`Could not read the template catalog: ${(error as Error).message}`);
    }
    for (const fault of this.catalogue.faults) this.logger.warn(`Omitted an invalid template: ${fault}`);
  }

  list({ list, keywords, categoryId }: TemplatesQuery): ApplicationTemplates {
    const { page, perPage, sortField, sortDirection, filterField, filter } = list;
    const found = this.templates
      .filter((template) => keywords?.every((keyword) => template.keywords.includes(keyword)) ?? true)
      .filter(({ categoryIds }) => categoryId === undefined || categoryIds.includes(categoryId))
      .filter((template) => matches(template, list));
    const items = found
      .sort(comparing(sortField as Sorted, sortDirection === 'desc' ? -1 : 1))
      .slice(page * perPage, (page + 1) * perPage);
    const asked = { page, perPage, sortField, sortDirection, filterField, filter, keywords, categoryId };
    return { items, count: items.length, totalCount: found.length, ...asked };
  }

  /** Returns the template. Throws `404` if it does not exist. */
  obtain(id: string): ApplicationTemplate {
    return this.entry(id).template;
  }

  /** Returns a template with the folder of its bundle. Throws `404` if it does not exist. */
  entry(id: string): CatalogueEntry {
    const entry = this.find(id);
    if (!entry) throw new NotFound('Template');
    return entry;
  }

  /** Like `entry`, but returns `undefined` if the template does not exist. */
  find(id: string): CatalogueEntry | undefined {
    return this.catalogue.entries.find(({ template }) => template.id === id);
  }

  /** Returns categories with parents before children, optionally starting from `baseId`. */
  categoriesFrom(baseId?: string): Omit<ApplicationTemplateCategories, 'sortField' | 'sortDirection'> {
    const { categories } = this.catalogue;
    const within = new Set([baseId]);
    const items =
      baseId === undefined
        ? categories
        : categories.filter(({ id, parentId }) => {
            const isWithin = id === baseId || (parentId !== undefined && within.has(parentId));
            if (isWithin) within.add(id);
            return isWithin;
          });
    if (baseId !== undefined && items.length === 0)
      throw new ValidationError('baseId must be the ID of a category');
    return { items, count: items.length, totalCount: items.length, ...(baseId ? { baseId } : {}) };
  }

  /** Returns all template keywords without duplicates, up to the maximum of a response. */
  keywords(): TemplateKeywords {
    const all = new Set(this.templates.flatMap(({ keywords }) => keywords));
    return { keywords: [...all].sort().slice(0, MAX_KEYWORDS) };
  }

  private get templates(): ApplicationTemplate[] {
    return this.catalogue.entries.map(({ template }) => template);
  }
}

const matches = (template: ApplicationTemplate, { filterField, filter }: ListParameters): boolean =>
  filter === undefined || matchesGlob(filter, template[filterField as 'name' | 'authorName'] ?? '');

function comparing(field: Sorted, sign: 1 | -1): (a: ApplicationTemplate, b: ApplicationTemplate) => number {
  const keyOf = (template: ApplicationTemplate) => template[field].toLowerCase();
  return (a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    const order = first === second ? (a.id < b.id ? -1 : 1) : first < second ? -1 : 1;
    return sign * order;
  };
}
