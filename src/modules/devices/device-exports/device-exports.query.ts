import { ListenersQuery } from '../../../platform/callbacks/asked-listeners.js';
import { QueryBoolean, QueryMoment } from '../../../platform/lists/query-fields.js';

/** The time that data is from, as a query says it. */
export class SpanQuery {
  @QueryMoment({ description: 'From when on.', default: 1 })
  start: Date;

  @QueryMoment({ description: 'Until when; that moment itself is left out.', default: 0 })
  end: Date;
}

/** What is exported of a device, and who hears of it, as a query says it. */
export class DeviceExportQuery extends ListenersQuery {
  @QueryMoment({ description: 'As in the body, which goes before it: from when on.', default: 1 })
  start: Date;

  @QueryMoment({ description: 'As in the body, which goes before it: until when.', default: 0 })
  end: Date;

  @QueryBoolean({ description: 'As in the `options` of the body, which go before it.', default: false })
  includeBlobData: boolean;
}
