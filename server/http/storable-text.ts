import 'server-only'

/** PostgreSQL stores neither NUL nor half a surrogate pair; nobody types them, so they are refused rather than mended. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
