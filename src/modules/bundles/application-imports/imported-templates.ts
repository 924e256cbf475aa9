import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import { Turns } from '../../../platform/database/turns.js';
import { Unavailable, UnprocessableResources, ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { TemplateCatalogue } from '../application-templates/catalogue.service.js';
import {
  TemplateApplications,
  type AskedFromTemplate,
} from '../../applications/applications/template-applications.js';
import { Importer } from './importer.js';
import { TooLarge } from './import-task.js';
import { TemplateBundles } from './template-bundles.js';

const AT = 'application.applicationTemplateId';
/** As many as an application may have. */
const MOST_APPLIED = 1000;
const LONGEST_MS = 60_000;

/** Makes applications from templates: an import of the template's bundle that the request waits for, or nothing. */
@Injectable()
export class ImportedTemplates extends TemplateApplications {
  /** Templates are small, so whoever comes while others are made waits: no turn to import is taken, and no job made. */
  private readonly turns = new Turns({
    atOnce: 2,
    ofEach: 1,
    waiting: 8,
    patienceMs: 15_000,
    refusals: {
      own: 'Too many applications are made from templates at once: wait for those that are',
      others: 'Others make too many applications from templates at the moment, try again',
    },
  });

  constructor(
    private readonly templates: TemplateCatalogue,
    private readonly bundles: TemplateBundles,
    private readonly importer: Importer,
  ) {
    super();
  }

  override async make(asked: AskedFromTemplate, by: Author): Promise<void> {
    const { given } = asked;
    const entry = this.templates.find(asked.templateId.toLowerCase());
    if (!entry) throw new ValidationError(`${AT} names no template`);
    const templateId = entry.template.id;
    const appliedTemplateIds = [...new Set([...(given.appliedTemplateIds ?? []), templateId])];
    if (appliedTemplateIds.length > MOST_APPLIED)
      throw new ValidationError(
        `application.appliedTemplateIds must have at most ${MOST_APPLIED} entries with the template`,
      );
    await this.turns.run(asked.application.ownerId, async () => {
      const task = {
        id: newId(),
        application: asked.application,
        isNew: true,
        given: { ...given, appliedTemplateIds },
        // What limits the owner is asked of its row: the request may know of a limit from before it was changed.
        isLimited: true,
        source: await this.bundles.store(entry),
        without: [],
        conflictBehavior: 'create',
        dryRun: false,
        templateId,
      } as const;
      const signal = AbortSignal.timeout(LONGEST_MS);
      const watch = { signal, isShort: true, progress: () => Promise.resolve() };
      await this.importer.run(task, by, watch).catch((error: unknown) => {
        throw signal.aborted
          ? new Unavailable('Applications are made too slowly at the moment')
          : told(error);
      });
    });
  }
}

/** What is told of a template that no application can be made from. */
function told(error: unknown): unknown {
  if (error instanceof TooLarge)
    return new ValidationError(`${AT} names a template that is too large: apply it to an application`);
  if (error instanceof UnprocessableResources)
    return new ValidationError(`${AT} names a template with too many faults`);
  return error;
}
