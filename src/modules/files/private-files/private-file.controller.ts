import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { FilePatch } from '../files/file.resource.js';
import { PrivateFile, PrivateFileUploadPostResponse } from './private-file.resource.js';
import { LinkQuery, PrivateFileMoveQuery } from './private-files.query.js';
import { PrivateFilesService } from './private-files.service.js';

@Controller('applications/:applicationId/privateFiles/:privateFileId')
export class PrivateFileController {
  constructor(private readonly files: PrivateFilesService) {}

  @Get()
  @Operation('privateFile.get', {
    summary: 'Returns a private file or a directory',
    description:
      'Of a complete file there is a link to the content, which ends. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: PrivateFile },
    missing: 'private file',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @Query() query: LinkQuery,
  ): Promise<Stored<PrivateFile>> {
    return this.files.get(id, privateFileId, query);
  }

  @Patch()
  @Operation('privateFile.patch', {
    summary: 'Replaces the content of a private file',
    description:
      'Answers a form for the new content, as `privateFiles.post` does. The file stays as it is until all of it has come. Of the forms of a file the last 100 are good. An announced `fileSize` that is beyond the limit `storage` of the owner is 400. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<PrivateFile>> {
    return this.files.patch(application, privateFileId, body, by);
  }

  @Delete()
  @Operation('privateFile.delete', {
    summary: 'Deletes a private file or a directory',
    description:
      'A directory goes with all that it holds. Where that is more than 100 files it is `deleting` meanwhile: its name is free again, and nothing can be put into it. Needs the role `collaborate` on the application.',
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
      'A directory moves with all that it holds, at once. Directories on the way are made. A name that is taken there is 400, and so is moving a directory into itself. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<PrivateFile>> {
    return this.files.move(application, privateFileId, query, by);
  }

  @Post('upload')
  @Operation('privateFile.upload', {
    summary: 'Sends the content of a private file',
    description:
      'As a form with the content as `privateFile`, at most 5 GiB, which the platform passes on as it comes; forms of `privateFiles.post` and `privateFile.patch` lead to the store itself. The content takes the place of what was there once all of it has come, with the type that its part has, unless that is `application/octet-stream`. Content beyond the limit `storage` of the owner is 400, and the file stays as it was. Whoever sends too slowly is ended. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    file: 'privateFile',
    returns: { 200: PrivateFile },
    missing: 'private file',
  })
  upload(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('privateFileId') privateFileId: string,
    @Req() request: Request,
    @Query() query: LinkQuery,
    @By() by: Author,
  ): Promise<Stored<PrivateFile>> {
    return this.files.upload(id, privateFileId, request, query, by);
  }
}
