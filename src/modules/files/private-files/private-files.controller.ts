import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { FilePost } from '../files/file.resource.js';
import { PrivateFile, PrivateFiles, PrivateFileUploadPostResponse } from './private-file.resource.js';
import { PrivateFilesQuery } from './private-files.query.js';
import { PrivateFilesService } from './private-files.service.js';

@Controller('applications/:applicationId/privateFiles')
export class PrivateFilesController {
  constructor(private readonly files: PrivateFilesService) {}

  @Get()
  @Operation('privateFiles.get', {
    summary: 'Returns the private files of an application',
    description:
      'Directories too: all there are, or with `directory` what is directly in one. Of complete files there is a link to the content, which ends. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: PrivateFiles },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: PrivateFilesQuery,
  ): Promise<StoredPage<PrivateFile>> {
    return this.files.list(application, query);
  }

  @Post()
  @Operation('privateFiles.post', {
    summary: 'Creates a private file or a directory',
    description:
      'A file is `pending` until its content has come: send it to `upload.url` as a form, with all `upload.fields` and then the content as `file`, within an hour. With `fileSize` it must have exactly so many bytes, otherwise at most 5 GiB. What does not come in time is removed. Directories on the way are made. A name that is taken is 400: `privateFile.patch` changes the content of what is there, and has another form for what is pending. The limit `privatefile` of the owner counts files and directories of each application, and `storage` the bytes of contents and of workflow storage of all applications: an announced `fileSize` beyond it is 400, and content beyond it is removed as it comes. What is announced takes no room. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { file: FilePost },
    example: { name: 'pump.png', type: 'file', contentType: 'image/png', fileSize: 500 },
    returns: { 201: PrivateFileUploadPostResponse },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: FilePost,
    @By() by: Author,
  ): Promise<Stored<PrivateFile>> {
    return this.files.create(application, body, by);
  }
}
