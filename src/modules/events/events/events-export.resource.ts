import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { BooleanField, ChoiceField, JsonField } from '../../../platform/fields/fields.js';
import type { ExportFormat } from './events-export.job.js';
import { EVENT_QUERY_BODY } from './events.query.js';

@ApiSchema({ name: 'EventsExport', description: 'Events to export, file format and listeners.' })
export class EventsExport extends ListenersBody {
  @ChoiceField(['csv', 'json'], { column: false, description: 'Format of the file.', default: 'csv' })
  format?: ExportFormat;

  @BooleanField({ column: false, description: 'Whether to omit `updates`.', default: false })
  excludeUpdates?: boolean;

  @JsonField(EVENT_QUERY_BODY, {
    column: false,
    description: 'Advanced query of the events to export; all events by default.',
    example: { state: 'resolved' },
  })
  query?: object;
}
