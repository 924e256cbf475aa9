import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { FlowFiles } from './flow-files.js';
import { PrivateFileController } from './private-file.controller.js';
import { PrivateFileLinks } from './private-file-links.js';
import { PrivateFile } from './private-file.resource.js';
import { PrivateFilesController } from './private-files.controller.js';
import { PrivateFilesJobs } from './private-files.jobs.js';
import { PrivateFilesRepository } from './private-files.repository.js';
import { PrivateFilesService } from './private-files.service.js';

/** Files that can only be read with an expiring link. */
@Module({
  imports: [TypeOrmModule.forFeature([PrivateFile]), FilesModule],
  controllers: [PrivateFilesController, PrivateFileController],
  providers: [FlowFiles, PrivateFileLinks, PrivateFilesRepository, PrivateFilesService, PrivateFilesJobs],
  exports: [FlowFiles, PrivateFilesRepository],
})
export class PrivateFilesModule {}
