import 'server-only'

/** Answers may hold personal data, so no cache on the way may store them. */
export const privateHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

/** Neither Next nor a proxy may compress these answers, because that would delay a stream or lengthen a short answer. */
export const noTransformHeaders = { ...privateHeaders, 'cache-control': 'private, no-store, no-transform' } as const

/** Short answers stay uncompressed, because compressing them takes as long as making them and saves three packets at most. */
export function chooseHeaders(text: string) {
  return text.length < 4_096 ? noTransformHeaders : privateHeaders
}
