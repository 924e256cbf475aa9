import { ListenersQuery } from '../../../platform/callbacks/listener-fields.js';
import { QueryBoolean, QueryMoment } from '../../../platform/lists/query-fields.js';

/** Query parameters for a time range of data. */
export class SpanQuery {
  @QueryMoment({ description: 'Start of the time range, inclusive.', default: 1 })
  start: Date;

  @QueryMoment({ description: 'End of the time range, exclusive.', default: 0 })
  end: Date;
}

/** Query parameters for an export of a device and its notifications. */
export class DeviceExportQuery extends ListenersQuery {
  @QueryMoment({
    description: 'Start of the time range, inclusive. `start` in the body overrides it.',
    default: 1,
  })
  start: Date;

  @QueryMoment({
    description: 'End of the time range, exclusive. `end` in the body overrides it.',
    default: 0,
  })
  end: Date;

  @QueryBoolean({
    description: 'Whether attributes of the type `blob` are included. `options` in the body override it.',
    default: false,
  })
  includeBlobData: boolean;
}
