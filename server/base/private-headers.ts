/** No cache on the way may store an answer, because it may hold personal data. */
export const PRIVATE_HEADERS = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

/** Neither Next nor a proxy may compress a stream, which would be delayed. */
export const NO_TRANSFORM_HEADERS = { ...PRIVATE_HEADERS, 'cache-control': 'private, no-store, no-transform' } as const

const MIN_COMPRESSED_LENGTH = 4_096

/** A short answer stays uncompressed: it would take twice as long, and save three packets at most. */
export function choosePrivateHeaders(text: string) {
  return text.length < MIN_COMPRESSED_LENGTH ? NO_TRANSFORM_HEADERS : PRIVATE_HEADERS
}
