import { listQuery } from '../../../platform/lists/query-fields.js';

export class CertificateAuthoritiesQuery extends listQuery({
  sort: ['name', 'status', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'status'],
}) {}
