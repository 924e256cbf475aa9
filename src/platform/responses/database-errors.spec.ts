import { QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { databaseError } from './database-errors.js';

const coded = (code: string) => Object.assign(new Error('of the database'), { code });

describe('A database failure', () => {
  it.each([
    '25006',
    '25P03',
    '40001',
    '40P01',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57P01',
    '08006',
    'ECONNREFUSED',
    'ECONNRESET',
  ])('with the code %s is temporary', (code) => {
    expect(databaseError(coded(code))).toMatchObject({
      status: 503,
      message: expect.stringMatching(/, try again$/),
      headers: { 'Retry-After': '5' },
    });
  });

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Query runner already released. Cannot run queries anymore.',
    new QueryRunnerProviderAlreadyReleasedError().message,
    'timeout exceeded when trying to connect',
    'Query read timeout',
  ])('with the message "%s" is temporary', (message) => {
    expect(databaseError(new Error(message))).toMatchObject({ status: 503 });
  });

  it('is temporary if a socket is missing, but not if a file is', () => {
    const missing = (syscall: string) => Object.assign(coded('ENOENT'), { syscall });
    expect(databaseError(missing('connect'))).toMatchObject({ status: 503 });
    expect(databaseError(missing('open'))).toBeUndefined();
  });

  it('due to a statement timeout is not solved by a retry', () => {
    const { status, message, headers } = databaseError(coded('57014'))!;
    expect(status).toBe(503);
    expect(message).not.toContain('again');
    expect(headers).toEqual({});
  });

  it('is attributed to a value, or to a concurrent change', () => {
    expect(databaseError(coded('22003'))).toMatchObject({ status: 400 });
    expect(databaseError(coded('23503'))).toMatchObject({ status: 404 });
  });

  it('is otherwise attributed to the platform', () => {
    for (const error of [coded('42601'), coded('23505'), new Error('A bug'), undefined])
      expect(databaseError(error)).toBeUndefined();
  });
});
