const REVOKE_AFTER_MS = 60_000

export function downloadBlob(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The URL is revoked late, because Safari reads the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
