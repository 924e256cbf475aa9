import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { Application } from './application.resource.js';

/** Application to create from a template. */
export interface TemplateApplicationRequest {
  templateId: string;
  application: OwnedApplication;
  /** Properties that take precedence over the template. */
  overrides: Changes<Application>;
}

/** Creates applications from templates; implemented by the imports module. */
export abstract class TemplateApplications {
  /** Creates the application with everything in the template, atomically. Throws 400 if the template does not exist. */
  abstract create(asked: TemplateApplicationRequest, by: Author): Promise<void>;
}
