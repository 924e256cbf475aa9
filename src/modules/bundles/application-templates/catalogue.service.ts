import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { BundleWork } from '../../../platform/bundles/bundle-work.js';
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

type Sorted = 'name' | 'id' | 'creationDate' | 'lastUpdated';

/**
 * Template catalog. Invalid entries are omitted and logged. A catalog of the operator is read at startup, the built-in one
 * when it is first used.
 */
@Injectable()
export class TemplateCatalogue implements OnModuleInit {
  private readonly logger = new Logger(TemplateCatalogue.name);
  private loaded?: Promise<Catalogue>;

  constructor(
    @Inject(Config) private readonly config: Config,
    private readonly work: BundleWork,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.config.TEMPLATES_DIR) await this.load();
  }

  async list({ list, keywords, categoryId }: TemplatesQuery): Promise<ApplicationTemplates> {
    const { page, perPage, sortField, sortDirection, filterField, filter } = list;
    const found = (await this.templates())
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
  async obtain(id: string): Promise<ApplicationTemplate> {
    return (await this.entry(id)).template;
  }

  /** Returns a template with the folder of its bundle. Throws `404` if it does not exist. */
  async entry(id: string): Promise<CatalogueEntry> {
    const entry = await this.find(id);
    if (!entry) throw new NotFound('Template');
    return entry;
  }

  /** Like `entry`, but returns `undefined` if the template does not exist. */
  async find(id: string): Promise<CatalogueEntry | undefined> {
    return (await this.load()).entries.find(({ template }) => template.id === id);
  }

  /** Returns categories with parents before children, optionally starting from `baseId`. */
  async categoriesFrom(
    baseId?: string,
  ): Promise<Omit<ApplicationTemplateCategories, 'sortField' | 'sortDirection'>> {
    const { categories } = await this.load();
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
  async keywords(): Promise<TemplateKeywords> {
    const all = new Set((await this.templates()).flatMap(({ keywords }) => keywords));
    return { keywords: [...all].sort().slice(0, MAX_KEYWORDS) };
  }

  private async templates(): Promise<ApplicationTemplate[]> {
    return (await this.load()).entries.map(({ template }) => template);
  }

  private load(): Promise<Catalogue> {
    return (this.loaded ??= this.read());
  }

  private async read(): Promise<Catalogue> {
    try {
      const catalogue = await readCatalogue(this.config.TEMPLATES_DIR || BUILT_IN_FOLDER, this.work);
      for (const fault of catalogue.faults) this.logger.warn(`Omitted an invalid template: ${fault}`);
      return catalogue;
    } catch (error) {
      // The next use tries again.
      this.loaded = undefined;
      this.logger.warn(`Could not read the template catalog: ${(error as Error).message}`);
      return { entries: [], categories: [], faults: [] };
    }
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
