/** No cache on the way may store an answer, because it may hold personal data. */
export const privateHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

/** Neither Next nor a proxy may compress a stream, which that would delay, or a short answer. */
export const noTransformHeaders = { ...privateHeaders, 'cache-control': 'private, no-store, no-transform' } as const

/** A short answer stays uncompressed, because compressing it takes as long as making it and saves three packets at most. */
export function chooseHeaders(text: string) {
  return text.length < 4_096 ? noTransformHeaders : privateHeaders
}
