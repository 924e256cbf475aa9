const KIB = 1024;
const MIB = KIB ** 2;
const GIB = KIB ** 3;

/** Maximum number of values. Parsing this many takes 50 ms, during which all other requests wait. */
export const MAX_VALUES = 200_000;
export const MAX_DEPTH = 64;

/** Maximum size of bodies in bytes and values. */
export const BODY_SIZES = {
  /** For anonymous clients. The largest body is the response of an identity provider, with up to 100,000 characters. */
  small: { bytes: 128 * KIB, values: MAX_VALUES },
  usual: { bytes: MIB, values: MAX_VALUES },
  /** For operations on many resources. */
  large: { bytes: 10 * MIB, values: 500_000 },
};
export type BodySize = keyof typeof BODY_SIZES;

/** Returns the size of the bodies of an operation. */
export const bodySizeOf = ({
  scopes,
  largeBody,
}: {
  scopes: readonly string[] | 'public';
  largeBody?: boolean;
}): BodySize => (scopes === 'public' ? 'small' : largeBody ? 'large' : 'usual');

/** Returns the description of the response to bodies that exceed a size. */
export function tooLarge(size: BodySize): string {
  const { bytes, values } = BODY_SIZES[size];
  return `The body is larger than ${formatBytes(bytes)}, has more than ${values.toLocaleString('en')} values or is nested more than ${MAX_DEPTH} levels deep.`;
}

/** Returns a number of bytes in the largest unit that does not need decimals, such as `10 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes % GIB === 0) return `${bytes / GIB} GiB`;
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
