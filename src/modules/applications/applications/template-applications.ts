import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { Application } from './application.resource.js';

/** An application that is to be made from a template. */
export interface AskedFromTemplate {
  templateId: string;
  application: OwnedApplication;
  /** What it is to have whatever the template says. */
  given: Changes<Application>;
}

/** What makes applications from templates; the family of imports has it. */
export abstract class TemplateApplications {
  /** Makes the application with all that the template holds, or nothing; 400 where there is no such template. */
  abstract make(asked: AskedFromTemplate, by: Author): Promise<void>;
}
