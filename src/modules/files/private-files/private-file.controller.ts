import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { FilePatch } from '../files/file.resource.js';
import { PrivateFile, PrivateFileUploadPostResponse } from './private-file.resource.js';
import { LinkQuery, PrivateFileMoveQuery } from './private-files.query.js';
import { PrivateFilesService } from './private-files.service.js';
import { MAX_FILE_BYTES } from '../files/stored-file.js';

@Controller('applications/:applicationId/privateFiles/:privateFileId')
export class PrivateFileController {
  constructor(private readonly files: PrivateFilesService) {}

  @Get()
  @Operation('privateFile.get', {
    summary: 'Returns a private file or a directory',
    description: 'Returns a private file or directory. A completed file has an expiring link to its content.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: PrivateFile },
    missing: 'private file',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @Query() query: LinkQuery,
  ): Promise<StoredResource<PrivateFile>> {
    return this.files.get(id, privateFileId, query);
  }

  @Patch()
  @Operation('privateFile.patch', {
    summary: 'Replaces the content of a private file',
    description:
      'Returns an upload form for the new content, as `privateFiles.post` does. The file keeps its content until the upload has completed. The last 100 forms of a file are valid. Returns `400` if the announced `fileSize` would exceed the `storage` limit of the owner.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { file: FilePatch },
    example: { contentType: 'image/png', fileSize: 700 },
    returns: { 201: PrivateFileUploadPostResponse },
    missing: 'private file',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @Body() body: FilePatch,
    @By() by: Author,
  ): Promise<StoredResource<PrivateFile>> {
    return this.files.patch(application, privateFileId, body, by);
  }

  @Delete()
  @Operation('privateFile.delete', {
    summary: 'Deletes a private file or a directory',
    description:
      'Deletes the file, or the directory with its contents. A directory with more than 100 files is deleted by a background job and has the status `deleting` until then. Its name is released immediately, and nothing can be added to it.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'private file',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.files.delete(id, privateFileId, by);
  }

  @Post('move')
  @Operation('privateFile.move', {
    summary: 'Moves or renames a private file or a directory',
    description:
      'Moves the file, or the directory with its contents, atomically. Missing directories of the path are created. Returns `400` if the name already exists there or if a directory would be moved into itself.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    returns: { 201: PrivateFile },
    missing: 'private file',
  })
  move(
    @CurrentApplication() application: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @Query() query: PrivateFileMoveQuery,
    @By() by: Author,
  ): Promise<StoredResource<PrivateFile>> {
    return this.files.move(application, privateFileId, query, by);
  }

  @Post('upload')
  @Operation('privateFile.upload', {
    summary: 'Uploads the content of a private file',
    description:
      'Uploads content of up to 5 GiB through the platform, as the part `privateFile` of a form. The forms of `privateFiles.post` and `privateFile.patch` upload directly to the store instead. The content replaces that of the file after a complete upload. Its type is that of the part, unless that is `application/octet-stream`. Returns `400` and keeps the previous content if the `storage` limit of the owner would be exceeded. Uploads that are too slow are aborted.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    file: 'privateFile',
    maxFileBytes: MAX_FILE_BYTES,
    returns: { 200: PrivateFile },
    missing: 'private file',
  })
  upload(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @Req() request: Request,
    @Query() query: LinkQuery,
    @By() by: Author,
  ): Promise<StoredResource<PrivateFile>> {
    return this.files.upload(id, privateFileId, request, query, by);
  }
}
