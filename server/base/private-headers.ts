import 'server-only'

/** Answers may be personal: nothing on the way may keep them. */
export const privateHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

/** For answers that a proxy or Next itself must pass on byte by byte: compressing would delay or lengthen them. */
export const noTransformHeaders = { ...privateHeaders, 'cache-control': 'private, no-store, no-transform' } as const

/** Short answers stay uncompressed, because compressing them takes as long as making them and saves three packets at most. */
export function chooseHeaders(text: string) {
  return text.length < 4_096 ? noTransformHeaders : privateHeaders
}
