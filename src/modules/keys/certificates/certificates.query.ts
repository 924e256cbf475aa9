import { listQuery } from '../../../platform/lists/query-fields.js';

export class CertificatesQuery extends listQuery({
  sort: ['certificateInfo.commonName', 'status', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'certificateInfo.commonName',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['certificateInfo.commonName', 'status'],
}) {}
