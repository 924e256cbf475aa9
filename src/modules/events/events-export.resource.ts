import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, ChoiceField, JsonField, StringField } from '../../platform/fields.js';
import type { ExportFormat } from './events-export.job.js';
import { EVENT_QUERY_BODY } from './events.query.js';

@ApiSchema({ name: 'EventsExport', description: 'Which events are exported, and how.' })
export class EventsExport {
  @StringField({
    column: false,
    format: 'email',
    maxLength: 1024,
    description: 'Where the link is mailed to.',
    example: 'ada@example.com',
  })
  email?: string;

  @StringField({
    column: false,
    format: 'uri',
    maxLength: 1024,
    description: 'Where the link is posted to.',
    example: 'https://example.com/hooks/events',
  })
  callbackUrl?: string;

  @ChoiceField(['csv', 'json'], { column: false, description: 'What the file is.', default: 'csv' })
  format?: ExportFormat;

  @BooleanField({ column: false, description: 'Whether `updates` are left out.', default: false })
  excludeUpdates?: boolean;

  @JsonField(EVENT_QUERY_BODY, {
    column: false,
    description: 'Which events; all where it is absent.',
    example: { state: 'resolved' },
  })
  query?: object;
}
