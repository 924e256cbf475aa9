const MESSAGE =
  'The page does not keep event streams open. Run the command above in a terminal to follow this one.';

/** Request interceptor: shows a `curl` command for an event stream, which would never finish loading, and sends nothing. */
export function showStreamAsCommand(request) {
  const isStream = request.headers?.accept === 'text/event-stream';
  request.curlOptions = isStream ? ['-N'] : [];
  if (isStream) request.userFetch = () => Promise.reject(Object.assign(new Error(MESSAGE), { name: '' }));
  return request;
}
