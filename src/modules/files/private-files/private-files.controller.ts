import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { FilePost } from '../files/file.resource.js';
import { PrivateFile, PrivateFiles, PrivateFileUploadPostResponse } from './private-file.resource.js';
import { PrivateFilesQuery } from './private-files.query.js';
import { PrivateFilesService } from './private-files.service.js';

@Controller('applications/:applicationId/privateFiles')
export class PrivateFilesController {
  constructor(private readonly files: PrivateFilesService) {}

  @Get()
  @Operation('privateFiles.get', {
    summary: 'Lists the private files of an application',
    description:
      'Returns all private files and directories, or with `directory`, the direct contents of a directory. Completed files have an expiring link to their content.',
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
      'Creates a directory, or a file with the status `pending` and an upload form. Send the content to `upload.url` within one hour as a form with all `upload.fields`, followed by the content as `file`. The content must have exactly `fileSize` bytes if set, otherwise at most 5 GiB. Files without an upload in time are deleted. Missing directories of the path are created. Returns `400` if the name already exists; use `privateFile.patch` to replace the content or to get a new form for a pending file. The `privatefile` limit of the owner applies to the number of files and directories per application. The `storage` limit applies to the bytes of contents and of workflow storage in all applications. Returns `400` if the announced `fileSize` would exceed it; uploaded content that exceeds it is deleted. Announced sizes do not count.',
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
  ): Promise<StoredResource<PrivateFile>> {
    return this.files.create(application, body, by);
  }
}
