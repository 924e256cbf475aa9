import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { File, FilePatch, FileUploadPostResponse } from './file.resource.js';
import { MoveQuery } from './files.query.js';
import { FilesService } from './files.service.js';

@Controller('applications/:applicationId/file/:fileId')
export class FileController {
  constructor(private readonly files: FilesService) {}

  @Get()
  @Operation('file.get', {
    summary: 'Returns a file or a directory',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: File },
    missing: 'file',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('fileId') fileId: string,
  ): Promise<Stored<File>> {
    return this.files.get(id, fileId);
  }

  @Patch()
  @Operation('file.patch', {
    summary: 'Replaces the content of a file',
    description:
      'Answers a form for the new content, as `files.post` does. The file stays as it is until all of it has come. Of the forms of a file the last 100 are good. An announced `fileSize` that is beyond the limit `storage` of the owner is 400. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<File>> {
    return this.files.patch(application, fileId, body, by);
  }

  @Delete()
  @Operation('file.delete', {
    summary: 'Deletes a file or a directory',
    description:
      'A directory goes with all that it holds. Where that is more than 100 files it is `deleting` meanwhile: its name is free again, and nothing can be put into it. Needs the role `collaborate` on the application.',
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
      'A directory moves with all that it holds, at once. Directories on the way are made. A name that is taken there is 400, and so is moving a directory into itself. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<File>> {
    return this.files.move(application, fileId, query, by);
  }

  @Post('upload')
  @Operation('file.upload', {
    summary: 'Sends the content of a file',
    description:
      'As a form with the content as `file`, at most 5 GiB, which the platform passes on as it comes; forms of `files.post` and `file.patch` lead to the store itself. The content takes the place of what was there once all of it has come, with the type that its part has, unless that is `application/octet-stream`. Content beyond the limit `storage` of the owner is 400, and the file stays as it was. Whoever sends too slowly is ended. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    file: 'file',
    returns: { 200: File },
    missing: 'file',
  })
  upload(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('fileId') fileId: string,
    @Req() request: Request,
    @By() by: Author,
  ): Promise<Stored<File>> {
    return this.files.upload(id, fileId, request, by);
  }
}
