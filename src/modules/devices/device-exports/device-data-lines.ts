import { Injectable } from '@nestjs/common';
import { exportedOf, type DataFile, type DataFileOptions } from './data-file.js';
import { ExportedDevicesRepository, type ExportedDevice } from './exported-devices.repository.js';
import { pointRows } from './point-rows.js';
import type { Span } from './span.js';

/** Application, time range and options of the exported data. */
export interface DeviceData {
  applicationId: string;
  span: Span;
  options: DataFileOptions;
}

/** Formats data of a device as lines of a file. */
@Injectable()
export class DeviceDataLines {
  constructor(private readonly devices: ExportedDevicesRepository) {}

  /** Yields the lines of a device's rows in batches, without the heading; nothing if it has no stored values. */
  lines(
    { applicationId, span, options }: DeviceData,
    file: DataFile,
    device: ExportedDevice,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const attributes = exportedOf(device, options).map(({ number, dataType }) => ({
      number,
      heavy: dataType === 'string' || dataType === 'blob',
    }));
    const find = this.devices.pointsOf({ applicationId, deviceId: device.id, end: span.end });
    const rows = pointRows(attributes, span.start, (wanted) => {
      signal.throwIfAborted();
      return find(wanted);
    });
    return file.linesOf(device, rows);
  }
}
