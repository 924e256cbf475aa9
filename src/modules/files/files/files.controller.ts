import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { File, FilePost, Files, FileUploadPostResponse } from './file.resource.js';
import { FilesQuery } from './files.query.js';
import { FilesService } from './files.service.js';

@Controller('applications/:applicationId/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get()
  @Operation('files.get', {
    summary: 'Returns the files of an application',
    description:
      'Directories too: all there are, or with `directory` what is directly in one. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: Files },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: FilesQuery,
  ): Promise<StoredPage<File>> {
    return this.files.list(application, query);
  }

  @Post()
  @Operation('files.post', {
    summary: 'Creates a file or a directory',
    description:
      'A file is `pending` until its content has come: send it to `upload.url` as a form, with all `upload.fields` and then the content as `file`, within an hour. With `fileSize` it must have exactly so many bytes, otherwise at most 5 GiB. What does not come in time is removed. Directories on the way are made. A name that is taken is 400: `file.patch` changes the content of what is there, and has another form for what is pending. The limit `file` of the owner counts files and directories of each application, and `storage` the bytes of contents and of workflow storage of all applications: an announced `fileSize` beyond it is 400, and content beyond it is removed as it comes. What is announced takes no room. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { file: FilePost },
    example: { name: 'pump.png', type: 'file', contentType: 'image/png', fileSize: 500 },
    returns: { 201: FileUploadPostResponse },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: FilePost,
    @By() by: Author,
  ): Promise<Stored<File>> {
    return this.files.create(application, body, by);
  }
}
