import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FileAddresses } from './file-addresses.js';
import { FileContents } from './file-contents.js';
import { FileController } from './file.controller.js';
import { File } from './file.resource.js';
import { UploadCompletion } from './upload-completion.js';
import { PendingUploadsRepository } from './pending-uploads.repository.js';
import { MissingChecksums } from './missing-checksums.js';
import { MissingChecksumsRepository } from './missing-checksums.repository.js';
import { UploadPoller } from './upload-poller.js';
import { FileTriggers } from './file-triggers.js';
import { FileTrees } from './file-tree.js';
import { FileUploadsRepository } from './file-uploads.repository.js';
import { FilesController } from './files.controller.js';
import { FilesJobs } from './files.jobs.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';
import { ServedFilesController } from './served-files.controller.js';
import { ServedFiles } from './served-files.js';
import { ServedFilesRepository } from './served-files.repository.js';

/** Public files, and code shared with private files. */
@Module({
  imports: [TypeOrmModule.forFeature([File]), FiringsModule],
  controllers: [FilesController, FileController, ServedFilesController],
  providers: [
    FileAddresses,
    FileContents,
    UploadCompletion,
    PendingUploadsRepository,
    MissingChecksums,
    MissingChecksumsRepository,
    UploadPoller,
    FileTrees,
    FileTriggers,
    FileUploadsRepository,
    FilesJobs,
    FilesRepository,
    FilesService,
    ServedFiles,
    ServedFilesRepository,
  ],
  exports: [FileTrees, FilesRepository, ServedFiles],
})
export class FilesModule {}
