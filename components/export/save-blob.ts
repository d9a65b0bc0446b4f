const KEPT_MS = 60_000

/** Hands a file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Safari reads the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
