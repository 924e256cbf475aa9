import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { File, FilePost, Files, FileUploadPostResponse } from './file.resource.js';
import { FilesQuery } from './files.query.js';
import { FilesService } from './files.service.js';

@Controller('applications/:applicationId/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get()
  @Operation('files.get', {
    summary: 'Lists the files of an application',
    description:
      'Returns all files and directories, or with `directory`, the direct contents of a directory.',
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
      'Creates a directory, or a file with the status `pending` and an upload form. Send the content to `upload.url` within one hour as a form with all `upload.fields`, followed by the content as `file`. The content must have exactly `fileSize` bytes if set, otherwise at most 5 GiB. Files without an upload in time are deleted. Missing directories of the path are created. Returns `400` if the name already exists; use `file.patch` to replace the content or to get a new form for a pending file. The `file` limit of the owner applies to the number of files and directories per application. The `storage` limit applies to the bytes of contents and of workflow storage in all applications. Returns `400` if the announced `fileSize` would exceed it; uploaded content that exceeds it is deleted. Announced sizes do not count.',
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
  ): Promise<StoredResource<File>> {
    return this.files.create(application, body, by);
  }
}
