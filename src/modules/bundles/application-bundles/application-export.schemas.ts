import { ApiSchema, IntersectionType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { flagSchema, textSchema } from '../../../platform/fields/schema.js';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { EXPORT_LINK } from '../../devices/device-exports/export-link.js';

const REPOSITORY: JsonSchema = {
  title: 'ExportRepository',
  type: 'object',
  description: 'Branch, directory and commit message of an export to a repository.',
  properties: {
    branch: textSchema(
      'Branch to commit to. Defaults to the default branch of the repository. A branch that does not exist is created from the default branch.',
      'main',
      { maxLength: 255 },
    ),
    directory: textSchema('Directory for the export. Defaults to the root of the repository.', 'exports', {
      maxLength: 1024,
    }),
    commitMessage: textSchema(
      'Commit message. Defaults to a message that contains the name of the application.',
      'Export',
      { maxLength: 1024 },
    ),
  },
};

const included = (what: string) =>
  BooleanField({ column: false, description: `Whether the bundle contains ${what}.`, default: false });

/** Optional parts of a bundle. */
export class IncludedInBundle {
  @included('files and their contents')
  includeFiles?: boolean;

  @included('private files and their contents')
  includePrivateFiles?: boolean;

  @included('data table rows')
  includeDataTableRows?: boolean;

  @included('devices')
  includeDevices?: boolean;
}

@ApiSchema({ name: 'ApplicationExportPost', description: 'Contents and target of an application export.' })
export class ApplicationExportPost extends IntersectionType(IncludedInBundle, ListenersBody) {
  @BooleanField({
    column: false,
    description: 'Whether to run as a job even if the application is small.',
    default: false,
  })
  forceJob?: boolean;

  @ChoiceField(['zip', 'repo'], {
    column: false,
    description: 'Target of the export: a zip file, or a commit to a Git repository.',
    default: 'zip',
  })
  exportType?: 'zip' | 'repo';

  @StringField({
    column: false,
    maxLength: 255,
    description:
      'Name of a service credential of type `git` with an https URL and `http-password` authentication. Required for `repo`, ignored for `zip`.',
    example: 'repository',
  })
  credentialName?: string;

  @JsonField(REPOSITORY, {
    column: false,
    description: 'Target in the repository. Ignored for `zip`.',
    example: { branch: 'main' },
  })
  repo?: { branch?: string; directory?: string; commitMessage?: string };
}

@ApiSchema({ name: 'ApplicationExportResult', description: 'Download link of a bundle.' })
export class ApplicationExportResult {
  @StringField({
    column: false,
    required: true,
    format: 'uri',
    description:
      'Signed link to the bundle. Anyone with the link can read it. Valid for `blobUrlTTL` seconds of the application, 24 hours by default.',
    example: 'https://api.example.com/blobs/exports/575ec8687ae143cd83dc4a97.zip',
  })
  url: string;
}

/** Callback of an export: the link to the bundle, or the commit. */
export const APPLICATION_EXPORT_CALLBACK = callbackSchema('ApplicationExport', {
  ...EXPORT_LINK,
  commit: textSchema(
    'Hash of the commit, if the export was written to a repository.',
    '9f2b1c0d4e5f60718293a4b5c6d7e8f901234567',
  ),
  branch: textSchema('Branch of the commit.', 'main'),
  repoUrl: textSchema('URL of the repository.', 'https://example.com/ada/pumps.git'),
  noChanges: flagSchema('Whether the repository already contained the export.'),
});
