import 'server-only'

/** Answers may be personal: nothing on the way may keep them. */
export const privateHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

/** Nothing on the way may keep or shorten these either. */
export const untouchedHeaders = { ...privateHeaders, 'cache-control': 'private, no-store, no-transform' } as const

const MIN_BYTES_TO_COMPRESS = 4_096

/** Next compresses every answer, which takes as long as the rest of a short one, and saves three packets at most. */
export function headersOf(text: string) {
  return text.length < MIN_BYTES_TO_COMPRESS ? untouchedHeaders : privateHeaders
}
