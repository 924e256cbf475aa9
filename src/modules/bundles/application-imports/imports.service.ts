import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../../config/config.js';
import type { Principal } from '../../../platform/access/principal.js';
import type { ApplicationAccess, OwnedApplication } from '../../../platform/access/request.js';
import { Permissions } from '../../../platform/access/permissions.js';
import type { Author } from '../../../platform/audit/author.js';
import { BUNDLE_OPTIONS, type BundleOption } from '../../../platform/bundles/bundled.js';
import { JobListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Forbidden, ValidationError, type ResourceProblem } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Reply, type StoredResource } from '../../../platform/responses/stored-resources.js';
import type { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { TemplateCatalogue } from '../application-templates/catalogue.service.js';
import { BundleExporter } from '../application-bundles/bundle-exporter.js';
import { BundleRepositories, type RepositoryRequest } from '../application-bundles/bundle-repositories.js';
import type { Application } from '../../applications/applications/application.resource.js';
import { ApplicationsRepository } from '../../applications/applications/applications.repository.js';
import type {
  ApplicationApplyTemplatePatch,
  ApplicationClonePost,
} from './asked/application-clone.schemas.js';
import type { ImportResult } from './application-import.entity.js';
import { ApplicationImportsRepository, type LoggedImport } from './application-imports.repository.js';
import { choiceOf, ImportForms, type ImportForm } from './asked/import-form.js';
import type {
  ImportIntoApplicationOptions,
  ImportNewApplicationOptions,
} from './asked/import-forms.schemas.js';
import { ImportRunner } from './import-runner.js';
import type { ImportSource, ImportTask } from './asked/import-task.js';
import { TemplateBundles } from './asked/template-bundles.js';

/** Created application and the resources that could not be created. */
export interface CreatedApplication {
  application: object;
  validationErrors: readonly ResourceProblem[];
}

const NEW_FIELDS = [
  'ownerId',
  'ownerType',
  'includeDevices',
  'includeDataTableRows',
  'includeFiles',
  'email',
  'options',
];
const INTO_FIELDS = ['email', 'options'];
const ID = /^[\da-fA-F]{24}$/;

/** Accepts imports and clones. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly forms: ImportForms,
    private readonly runner: ImportRunner,
    private readonly imports: ApplicationImportsRepository,
    private readonly applications: ApplicationsRepository,
    private readonly exporter: BundleExporter,
    private readonly repositories: BundleRepositories,
    private readonly listeners: JobListeners,
    private readonly permissions: Permissions,
    private readonly config: Config,
    private readonly templates: TemplateCatalogue,
    private readonly bundles: TemplateBundles,
  ) {}

  /** Creates an application from a bundle. */
  async importNew(request: Request, by: Author): Promise<Reply<CreatedApplication | JobEnqueuedResult>> {
    // Checked first, so that uploads of other callers are not received.
    assertCanCreateForAnyOwner(by.caller);
    const schema = 'ImportNewApplicationOptions';
    return this.forms.use(request, NEW_FIELDS, schema, (form: ImportForm<ImportNewApplicationOptions>) =>
      this.importForm(form, by),
    );
  }

  private async importForm(
    form: ImportForm<ImportNewApplicationOptions>,
    by: Author,
  ): Promise<Reply<CreatedApplication | JobEnqueuedResult>> {
    const { fields, options } = form;
    const owner = ownerOf(fields, by.caller.userId);
    const isLimited = await this.assertCanCreate(owner, by.caller);
    const task: ImportTask = {
      id: newId(),
      application: { ...owner, id: newId() },
      isNew: true,
      isLimited,
      source: sourceOf(form, options.importUrl),
      include: options.include,
      without: excludedParts(fields),
      conflictBehavior: 'create',
      dryRun: false,
      email: fields.get('email') || undefined,
    };
    const listeners = listenersOf(task, options.callbackUrl);
    this.listeners.check(listeners, 'options');
    return this.make(task, listeners, options.forceJob ?? false, by);
  }

  /** Imports a bundle into an application. */
  async importInto(
    application: ApplicationAccess,
    request: Request,
    by: Author,
  ): Promise<StoredResource<Application> | Reply<JobEnqueuedResult>> {
    const schema = 'ImportIntoApplicationOptions';
    return this.forms.use(request, INTO_FIELDS, schema, (form: ImportForm<ImportIntoApplicationOptions>) =>
      this.importFormInto(application, form, by),
    );
  }

  private async importFormInto(
    application: ApplicationAccess,
    form: ImportForm<ImportIntoApplicationOptions>,
    by: Author,
  ): Promise<StoredResource<Application> | Reply<JobEnqueuedResult>> {
    const { fields, options } = form;
    const { id, ownerId, ownerType } = application;
    const isRepository = options.repo !== undefined || options.credentialName !== undefined;
    const repository = isRepository ? await this.repositories.validate(id, options, 'options') : undefined;
    const fromApplicationId = await this.sourceApplication(options.fromApplicationId, by);
    const task: ImportTask = {
      id: newId(),
      application: { id, ownerId, ownerType },
      isNew: false,
      isLimited: false,
      source: sourceOf(form, options.importUrl, fromApplicationId, repository),
      include: options.include,
      without: [],
      conflictBehavior: options.conflictBehavior ?? 'create',
      dryRun: options.dryRun ?? false,
      email: fields.get('email') || undefined,
    };
    const listeners = listenersOf(task, options.callbackUrl);
    this.listeners.check(listeners, 'options');
    const done = await this.runner.run(task, listeners, await this.isJob(task, options.forceJob), by);
    if (done instanceof Reply) return done;
    return this.applications.obtain(by.caller, id, []);
  }

  /** Applies a template to an application. */
  async applyTemplate(
    { id, ownerId, ownerType }: ApplicationAccess,
    { templateId, email, callbackUrl }: ApplicationApplyTemplatePatch,
    by: Author,
  ): Promise<StoredResource<Application> | Reply<JobEnqueuedResult>> {
    const entry = await this.templates.entry(templateId.toLowerCase());
    const task: Omit<ImportTask, 'source'> = {
      id: newId(),
      application: { id, ownerId, ownerType },
      isNew: false,
      isLimited: false,
      without: [],
      conflictBehavior: 'create',
      dryRun: false,
      email,
      templateId: entry.template.id,
    };
    const listeners = listenersOf(task, callbackUrl);
    this.listeners.check(listeners, 'applicationApplyTemplate');
    const source = await this.bundles.store(entry);
    const done = await this.runner.run({ ...task, source }, listeners, false, by);
    if (done instanceof Reply) return done;
    return this.applications.obtain(by.caller, id, []);
  }

  /** Copies an application for its owner or another one. */
  async clone(
    source: ApplicationAccess,
    post: ApplicationClonePost,
    by: Author,
  ): Promise<Reply<CreatedApplication | JobEnqueuedResult | { success: true; requiresJob: boolean }>> {
    const owner = cloneOwnerOf(source, post, by.caller);
    const isLimited = await this.assertCanCreate(owner, by.caller);
    const task: ImportTask = {
      id: newId(),
      application: { ...owner, id: newId() },
      isNew: true,
      isLimited,
      source: { type: 'fromApplication', applicationId: source.id },
      without: BUNDLE_OPTIONS.filter((option) => !post[option]),
      conflictBehavior: 'create',
      dryRun: post.dryRun ?? false,
      email: post.email,
    };
    const listeners = listenersOf(task, post.callbackUrl);
    this.listeners.check(listeners, 'applicationClone');
    if (!task.dryRun) return this.make(task, listeners, post.forceJob ?? false, by);
    const requiresJob = await this.isJob(task, post.forceJob);
    if (!requiresJob) await this.runner.validate(task, by);
    return new Reply(200, { success: true, requiresJob });
  }

  /** Returns the imports into an application, newest first. */
  async log(applicationId: string, since: Date | undefined, limit: number): Promise<object[]> {
    return (await this.imports.log(applicationId, since, limit)).map(shown);
  }

  private async make(
    task: ImportTask,
    listeners: Listeners,
    forceJob: boolean,
    by: Author,
  ): Promise<Reply<CreatedApplication | JobEnqueuedResult>> {
    const done = await this.runner.run(task, listeners, await this.isJob(task, forceJob), by);
    if (done instanceof Reply) return done;
    return new Reply(201, await this.toCreatedApplication(task, done, by));
  }

  private async toCreatedApplication(
    { application: { id } }: ImportTask,
    { validationErrors = [] }: ImportResult,
    { caller }: Author,
  ): Promise<CreatedApplication> {
    const application = await this.applications.obtain(caller, id, []);
    return { application: application.toObject(), validationErrors };
  }

  /** Checks whether the import needs a job. Fetching from an external server takes unpredictably long. */
  private async isJob({ source, without }: ImportTask, forceJob = false): Promise<boolean> {
    if (forceJob || source.type === 'importUrl' || source.type === 'repository') return true;
    if (source.type === 'importBundle') return false;
    const options = BUNDLE_OPTIONS.filter((option) => !without.includes(option));
    const asked = { applicationId: source.applicationId, options };
    return !(await this.exporter.isSmall(asked, this.config.SMALL_APPLICATION));
  }

  /** Checks that the caller can create applications for the owner. Returns whether a limit applies to them. */
  private async assertCanCreate(
    { ownerId, ownerType }: OwnedApplication,
    caller: Principal,
  ): Promise<boolean> {
    const membership =
      ownerType === 'organization' ? await this.permissions.membership(caller, ownerId) : undefined;
    if (ownerType === 'organization') caller.assertRoleInOrganization(ownerId, 'edit', membership);
    else if (ownerId !== caller.userId) throw new Forbidden();
    else caller.assertRoleOn({ id: '', ownerId }, 'edit', undefined);
    return caller.limitsApplications(ownerId, membership);
  }

  /** Returns the application to import from. Throws if the caller cannot export it. */
  private async sourceApplication(id: string | undefined, { caller }: Author): Promise<string | undefined> {
    if (id === undefined) return undefined;
    await this.applications.obtain(caller, id.toLowerCase(), [], 'admin');
    return id.toLowerCase();
  }
}

const listenersOf = ({ email }: Pick<ImportTask, 'email'>, callbackUrl: string | undefined): Listeners => ({
  email,
  callbackUrl,
});

/** Returns the source of the bundle. Throws `400` unless there is exactly one. */
function sourceOf(
  { bundleKey }: ImportForm<unknown>,
  importUrl: string | undefined,
  applicationId?: string,
  repository?: RepositoryRequest,
): ImportSource {
  const sources: ImportSource[] = [
    ...(bundleKey === undefined ? [] : [{ type: 'importBundle', key: bundleKey } as const]),
    ...(importUrl === undefined ? [] : [{ type: 'importUrl', url: importUrl } as const]),
    ...(applicationId === undefined ? [] : [{ type: 'fromApplication', applicationId } as const]),
    ...(repository === undefined ? [] : [{ type: 'repository', repository } as const]),
  ];
  const [source] = sources;
  if (!source || sources.length > 1)
    throw new ValidationError('importBundle: the form must have one bundle, as a file or by reference');
  return source;
}

/** Throws if the token's scope does not let the caller create applications for any owner. */
function assertCanCreateForAnyOwner(caller: Principal): void {
  const { byDefault, owners } = caller.capFor('edit');
  if (!byDefault && owners.length === 0)
    caller.assertRoleOn({ id: '', ownerId: caller.userId }, 'edit', undefined);
}

/** Returns the owner named by the form, by default the caller. */
function ownerOf(fields: ReadonlyMap<string, string>, userId: string): OwnedApplication {
  const type = fields.get('ownertype') || 'user';
  if (type !== 'user' && type !== 'organization')
    throw new ValidationError('ownerType must be one of user, organization');
  const id = fields.get('ownerid') || (type === 'user' ? userId : '');
  if (!ID.test(id)) throw new ValidationError('ownerId must be the ID of the owner');
  return { id: '', ownerId: id.toLowerCase(), ownerType: type };
}

/** Returns the owner of the copy: by default that of the source, or the caller if `ownerId` is `null`. */
function cloneOwnerOf(
  source: ApplicationAccess,
  post: ApplicationClonePost,
  caller: Principal,
): OwnedApplication {
  const { ownerId, ownerType } = post;
  if (ownerId === undefined && ownerType === undefined)
    return { id: '', ownerId: source.ownerId, ownerType: source.ownerType };
  if (ownerId) return { id: '', ownerId: ownerId.toLowerCase(), ownerType: ownerType ?? 'user' };
  if (ownerType === 'organization') throw new ValidationError('applicationClone.ownerId is required');
  return { id: '', ownerId: caller.userId, ownerType: 'user' };
}

/** Returns the optional parts that the form excludes with `false`. */
function excludedParts(fields: ReadonlyMap<string, string>): BundleOption[] {
  const without = BUNDLE_OPTIONS.filter((option) => choiceOf(fields, option) === false);
  return without.includes('includeFiles') ? [...without, 'includePrivateFiles'] : without;
}

function shown({ asked, result, id, ...entry }: LoggedImport): object {
  const known = Object.entries({ ...entry, ...asked, ...result }).filter(([, value]) => value !== null);
  return { id, importExecutionId: id, ...Object.fromEntries(known) };
}
