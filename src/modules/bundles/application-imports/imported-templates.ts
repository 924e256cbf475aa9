import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import { WorkBudget } from '../../../lib/async/work-budget.js';
import { Unavailable, UnprocessableResources, ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { TemplateCatalogue } from '../application-templates/catalogue.service.js';
import {
  TemplateApplications,
  type TemplateApplicationRequest,
} from '../../applications/applications/template-applications.js';
import { Importer } from './importer.js';
import { ImportTooLarge } from './asked/import-task.js';
import { TemplateBundles } from './asked/template-bundles.js';

const FIELD = 'application.applicationTemplateId';
/** Maximum number of applied templates of an application. */
const MAX_APPLIED = 1000;
const MAX_DURATION_MS = 60_000;

/** Creates applications from templates by importing the template's bundle within the request. */
@Injectable()
export class ImportedTemplates extends TemplateApplications {
  /**
   * Templates are small, so concurrent requests wait in a queue instead of taking an import lease or creating a job.
   */
  private readonly budget = new WorkBudget({
    concurrency: 2,
    concurrencyPerOwner: 1,
    waitingPerOwner: 8,
    patienceMs: 15_000,
    retryAfterSeconds: 15,
    messages: {
      own: 'Too many concurrent requests to create applications from templates: wait until they have finished',
      others: 'Too many applications are being created from templates at the moment, try again',
    },
  });

  constructor(
    private readonly templates: TemplateCatalogue,
    private readonly bundles: TemplateBundles,
    private readonly importer: Importer,
  ) {
    super();
  }

  override async create(asked: TemplateApplicationRequest, by: Author): Promise<void> {
    const { overrides } = asked;
    const entry = await this.templates.find(asked.templateId.toLowerCase());
    if (!entry) throw new ValidationError(`${FIELD} must be the ID of a template`);
    const templateId = entry.template.id;
    const appliedTemplateIds = [...new Set([...(overrides.appliedTemplateIds ?? []), templateId])];
    if (appliedTemplateIds.length > MAX_APPLIED)
      throw new ValidationError(
        `application.appliedTemplateIds must have at most ${MAX_APPLIED} entries with the template`,
      );
    await this.budget.run(asked.application.ownerId, async () => {
      const task = {
        id: newId(),
        application: asked.application,
        isNew: true,
        given: { ...overrides, appliedTemplateIds },
        // The limit is read from the owner's row, because the caller's copy of it may be outdated.
        isLimited: true,
        source: await this.bundles.store(entry),
        without: [],
        conflictBehavior: 'create',
        dryRun: false,
        templateId,
      } as const;
      const signal = AbortSignal.timeout(MAX_DURATION_MS);
      const watch = { signal, isShort: true, progress: () => Promise.resolve() };
      await this.importer.run(task, by, watch).catch((error: unknown) => {
        throw signal.aborted
          ? new Unavailable('Creating the application took too long, try again')
          : toTemplateError(error);
      });
    });
  }
}

/** Converts import errors to errors about the template. */
function toTemplateError(error: unknown): unknown {
  if (error instanceof ImportTooLarge)
    return new ValidationError(
      `${FIELD} is a template that is too large: create an empty application and apply the template to it`,
    );
  if (error instanceof UnprocessableResources)
    return new ValidationError(`${FIELD} is a template with too many errors`);
  return error;
}
