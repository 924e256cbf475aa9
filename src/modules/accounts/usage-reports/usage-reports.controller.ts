import { Body, Controller, Param, Post } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { UsageReportPost } from './usage-report.resource.js';
import { UsageReportsService } from './usage-reports.service.js';

@Controller('instances/:instanceId/generateReport')
export class UsageReportsController {
  constructor(private readonly reports: UsageReportsService) {}

  @Post()
  @Operation('instance.generateReport', {
    summary: 'Makes a report on what is used in an instance',
    description:
      "Makes a CSV file with a line for each organization, or application, and period: payloads that are billed and others, with their bytes, devices that came, went, and were there at the end of the period, and minutes of notebooks. It is made of what is there now; payloads are those of whoever owned the application when they came. Text that a spreadsheet would take for a formula has a `'` before it. It goes on as a job. When that has ended, `email` gets a mail, and `callbackUrl` a `POST` with `{type, timestamp, data}`, where `data` has `jobId`, `instanceId`, `status` (`completed` or `failed`), and `url` and `expiresAt`, or `error`; the link is valid for 24 hours. The `POST` is signed as Standard Webhooks has it, with a secret of the instance that the operator has, and is tried again for about two hours until it is answered with a status of 200 to 299. Without both, the user who asks gets the mail. Ten reports of an instance are made in an hour. Needs the role `admin` in the instance.",
    scopes: INSTANCE_READ,
    role: 'admin',
    body: { instanceReportOptionsPost: UsageReportPost },
    optionalBody: true,
    example: { dateGroupBy: 'day', resourceGroupBy: 'application', email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    missing: 'instance',
    errors: { 429: 'Enough reports were made of the instance; `Retry-After` says when more can be.' },
  })
  generate(
    @Param('instanceId') id: string,
    @Body() body: UsageReportPost,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.reports.generate(id, body, by);
  }
}
