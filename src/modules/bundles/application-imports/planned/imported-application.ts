import { ValidationError } from '../../../../lib/errors/errors.js';
import type { Changes } from '../../../../platform/database/changes.js';
import type { Contract } from '../../../../platform/responses/contract.js';
import { inspectText } from '../../../../platform/server/read-body.js';
import type {
  Application,
  ApplicationGlobal,
  ApplicationPost,
} from '../../../applications/applications/application.resource.js';
import { checkGlobals } from '../../../../workflows/graph/globals.js';
import { BUNDLED_APPLICATION } from '../../../applications/applications/application.bundle.js';
import { checkSettings } from '../../../experience/experience-versions/experience-version.rules.js';
import type { StagedBundle } from '../fetched/staged-bundle.js';

/** Maximum number of characters of an application readme. */
const MAX_README_LENGTH = 131_072;

/**
 * Application of a bundle. Handmade bundles contain more properties, such as the author, which only template catalogs
 * use.
 */
export class ImportedApplication {
  readonly post: ApplicationPost;
  readonly readme: string;
  /** Settings of the development version of the experience. */
  readonly develop?: Record<string, unknown>;

  /** Throws `400` if the application of the bundle is invalid. */
  constructor({ application, readme = '', develop, ids }: StagedBundle, contract: Contract) {
    const known = new Set(BUNDLED_APPLICATION.fields);
    const given = JSON.parse(ids.replaceIn(JSON.stringify(application))) as Record<string, unknown>;
    const own = Object.entries(given).filter(([name, value]) => known.has(name) && value !== null);
    this.post = Object.fromEntries(own) as unknown as ApplicationPost;
    contract.checkComponent('ApplicationPost', 'application', this.post);
    checkGlobals(this.globals, 'application.globals');
    if (develop)
      this.develop = settingsOf(JSON.parse(ids.replaceIn(JSON.stringify(develop))) as object, contract);
    this.readme = ids.replaceIn(readme);
    inspectText(this.readme, 'README.md');
    if (this.readme.length > MAX_README_LENGTH)
      throw new ValidationError(`README.md must have at most ${MAX_README_LENGTH} characters`);
  }

  get globals(): readonly ApplicationGlobal[] {
    return this.post.globals ?? [];
  }

  /** Returns the columns of a new application, except its ID and owner. */
  row(withGlobals: boolean, now: Date, by: { id: string; type: string }): Changes<Application> {
    const { globals, ...post } = this.post;
    const readme = this.readme
      ? { readme: this.readme, readmeUpdated: now, readmeUpdatedById: by.id, readmeUpdatedByType: by.type }
      : {};
    return { ...BUNDLED_APPLICATION_ROW(post), ...(withGlobals && globals ? { globals } : {}), ...readme };
  }
}

const BUNDLED_APPLICATION_ROW = (post: ApplicationPost): Changes<Application> => {
  const { orgId: _, applicationTemplateId: __, archiveConfig: ___, ...row } = post;
  return row;
};

/** Validates the settings of an experience. Throws `400` if they are invalid. */
function settingsOf(given: object, contract: Contract): Record<string, unknown> {
  const known = contract.propertiesOf(SETTINGS);
  const own = Object.entries(given).filter(([name, value]) => known.has(name) && value !== null);
  const settings = Object.fromEntries(own.filter(([name]) => name !== 'sourceVersionIdOrName'));
  contract.checkComponent(SETTINGS, 'experienceVersion', settings);
  checkSettings(settings);
  return settings;
}

const SETTINGS = 'ExperienceVersionPatch';
