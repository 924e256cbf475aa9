/** Lines of which the first ones are the heading; nothing where no others follow. */
export async function beyondHeading(
  lines: AsyncGenerator<string>,
): Promise<AsyncGenerator<string> | undefined> {
  const heading = await lines.next();
  const first = await lines.next();
  return heading.done || first.done ? undefined : joined(heading.value + first.value, lines);
}

async function* joined(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first;
    yield* rest;
  } finally {
    // Also where nobody came to the rest: what it reads from ends with it.
    await rest.return(undefined);
  }
}
