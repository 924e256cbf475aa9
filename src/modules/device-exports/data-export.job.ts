import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { TemporaryBlobs } from '../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../platform/callbacks/outcomes.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../platform/jobs/on-job.js';
import { zipped, type ZippedFile } from '../../platform/zip.js';
import { DEVICES } from '../devices/device.resource.js';
import { columnNames, DataFile, type DataFileOptions } from './data-file.js';
import { DeviceDataLines } from './device-data-lines.js';
import { LINK_SECONDS, linkOutcome } from './export-link.js';
import { pagesOf, streamOf } from './pages.js';
import {
  ExportedDevicesRepository,
  type ExportedDevice,
  type SelectedDevices,
} from './exported-devices.repository.js';
import { loggedDevices } from './logged-devices.js';
