/** Returns SQL of the end of the minute of a request, to which its runs are counted. A whole minute is the end of the one before. */
export const runMinuteSql = (requestedAt: string): string =>
  `date_trunc('minute', ${requestedAt} + interval '59.999 seconds')`;
