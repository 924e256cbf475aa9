import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { File, FilePatch, FileUploadPostResponse } from './file.resource.js';
import { MoveQuery } from './files.query.js';
import { FilesService } from './files.service.js';
import { MAX_FILE_BYTES } from './stored-file.js';

@Controller('applications/:applicationId/file/:fileId')
export class FileController {
  constructor(private readonly files: FilesService) {}

  @Get()
  @Operation('file.get', {
    summary: 'Returns a file or a directory',
    description: 'Returns the properties of a file, including the URL of its content, or of a directory.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: File },
    missing: 'file',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('fileId') fileId: string,
  ): Promise<StoredResource<File>> {
    return this.files.get(id, fileId);
  }

  @Patch()
  @Operation('file.patch', {
    summary: 'Replaces the content of a file',
    description:
      'Returns an upload form for the new content, as `files.post` does. The file keeps its content until the upload has completed. The last 100 forms of a file are valid. Returns `400` if the announced `fileSize` would exceed the `storage` limit of the owner.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { file: FilePatch },
    example: { contentType: 'image/png', fileSize: 700 },
    returns: { 201: FileUploadPostResponse },
    missing: 'file',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('fileId') fileId: string,
    @Body() body: FilePatch,
    @By() by: Author,
  ): Promise<StoredResource<File>> {
    return this.files.patch(application, fileId, body, by);
  }

  @Delete()
  @Operation('file.delete', {
    summary: 'Deletes a file or a directory',
    description:
      'Deletes the file, or the directory with its contents. A directory with more than 100 files is deleted by a background job and has the status `deleting` until then. Its name is released immediately, and nothing can be added to it.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'file',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('fileId') fileId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.files.delete(id, fileId, by);
  }

  @Post('move')
  @Operation('file.move', {
    summary: 'Moves or renames a file or a directory',
    description:
      'Moves the file, or the directory with its contents, atomically. Missing directories of the path are created. Returns `400` if the name already exists there or if a directory would be moved into itself.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    returns: { 201: File },
    missing: 'file',
  })
  move(
    @CurrentApplication() application: ApplicationAccess,
    @Param('fileId') fileId: string,
    @Query() query: MoveQuery,
    @By() by: Author,
  ): Promise<StoredResource<File>> {
    return this.files.move(application, fileId, query, by);
  }

  @Post('upload')
  @Operation('file.upload', {
    summary: 'Uploads the content of a file',
    description:
      'Uploads content of up to 5 GiB through the platform, as the part `file` of a form. The forms of `files.post` and `file.patch` upload directly to the store instead. The content replaces that of the file after a complete upload. Its type is that of the part, unless that is `application/octet-stream`. Returns `400` and keeps the previous content if the `storage` limit of the owner would be exceeded. Uploads that are too slow are aborted.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    file: 'file',
    maxFileBytes: MAX_FILE_BYTES,
    returns: { 200: File },
    missing: 'file',
  })
  upload(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('fileId') fileId: string,
    @Req() request: Request,
    @By() by: Author,
  ): Promise<StoredResource<File>> {
    return this.files.upload(id, fileId, request, by);
  }
}
