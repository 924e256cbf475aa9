import { ApiSchema, IntersectionType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';

const text = (description: string, example: string, maxLength: number) => ({
  type: 'string',
  maxLength,
  description,
  example,
});

const REPOSITORY: JsonSchema = {
  title: 'ExportRepository',
  type: 'object',
  description: 'Where in a repository an export goes.',
  properties: {
    branch: text('The branch; absent, the default one. A new one begins where that is.', 'main', 255),
    directory: text('The folder; absent, the whole repository.', 'exports', 1024),
    commitMessage: text('The message of the commit; absent, one that names the application.', 'Export', 1024),
  },
};

const included = (what: string) =>
  BooleanField({ column: false, description: `Whether it has ${what}.`, default: false });

/** What a bundle has only where it is asked for. */
export class IncludedInBundle {
  @included('files, with their contents')
  includeFiles?: boolean;

  @included('private files, with their contents')
  includePrivateFiles?: boolean;

  @included('the rows of data tables')
  includeDataTableRows?: boolean;

  @included('devices')
  includeDevices?: boolean;
}

@ApiSchema({ name: 'ApplicationExportPost', description: 'What of an application is exported, and how.' })
export class ApplicationExportPost extends IntersectionType(IncludedInBundle, ListenersBody) {
  @BooleanField({ column: false, description: 'Whether it is a job, however small.', default: false })
  forceJob?: boolean;

  @ChoiceField(['zip', 'repo'], {
    column: false,
    description: 'What is made of it: a zip file, or a commit to a Git repository.',
    default: 'zip',
  })
  exportType?: 'zip' | 'repo';

  @StringField({
    column: false,
    maxLength: 255,
    description:
      'The service credential for the repository: of the type `git`, with an https URL, signing in by `http-password`. Needed for `repo`, of no effect on a zip file.',
    example: 'repository',
  })
  credentialName?: string;

  @JsonField(REPOSITORY, {
    column: false,
    description: 'Where in the repository; of no effect on a zip file.',
    example: { branch: 'main' },
  })
  repo?: { branch?: string; directory?: string; commitMessage?: string };
}

@ApiSchema({ name: 'ApplicationExportResult', description: 'Where a bundle is downloaded.' })
export class ApplicationExportResult {
  @StringField({
    column: false,
    required: true,
    description: 'A link that works without further authorization until it ends.',
    example: 'https://api.example.com/blobs/exports/575ec8687ae143cd83dc4a97.zip',
  })
  url: string;
}
