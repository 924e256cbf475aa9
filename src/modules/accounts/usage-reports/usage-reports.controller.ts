import { Body, Controller, Param, Post } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_CALLBACK } from '../../devices/device-exports/export-link.js';
import { UsageReportPost } from './usage-report.resource.js';
import { UsageReportsService } from './usage-reports.service.js';

@Controller('instances/:instanceId/generateReport')
export class UsageReportsController {
  constructor(private readonly reports: UsageReportsService) {}

  @Post()
  @Operation('instance.generateReport', {
    summary: 'Generates a usage report of an instance',
    description:
      "Generates a CSV file with a line for each organization or application, and each period. A line contains billable and non-billable payloads with their size in bytes, devices that were created, deleted, and present at the end of the period, and notebook minutes. The report covers existing resources; payloads are attributed to the owner of the application at the time they were received. Text that a spreadsheet would interpret as a formula is prefixed with `'`. The request enqueues a job. When the job ends, an email is sent to `email`, and a `POST` request with `{type, timestamp, data}` to `callbackUrl`. `data` contains `jobId`, `instanceId`, `status` (`completed` or `failed`), and `url` and `expiresAt`, or `error`; the link is valid for 24 hours. The request is signed according to Standard Webhooks, with a secret of the instance that the operator holds. It is retried for about two hours until the receiver responds with a status from 200 to 299. If neither is set, the email is sent to the calling user. An instance is limited to ten reports per hour.",
    scopes: INSTANCE_READ,
    role: 'admin',
    body: { instanceReportOptionsPost: UsageReportPost },
    optionalBody: true,
    example: { dateGroupBy: 'day', resourceGroupBy: 'application', email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
    missing: 'instance',
    errors: {
      429: 'The instance has reached its limit of reports; `Retry-After` contains the number of seconds to wait.',
    },
  })
  generate(
    @Param('instanceId') id: string,
    @Body() body: UsageReportPost,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.reports.generate(id, body, by);
  }
}
