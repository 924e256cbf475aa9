import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import { BooleanField, ChoiceField, JsonField } from '../../../platform/fields/fields.js';
import type { ExportFormat } from './events-export.job.js';
import { EVENT_QUERY_BODY } from './events.query.js';

@ApiSchema({ name: 'EventsExport', description: 'Which events are exported, and how.' })
export class EventsExport extends ListenersBody {
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
