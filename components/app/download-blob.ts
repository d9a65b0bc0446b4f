const REVOKE_AFTER_MS = 60_000

export function downloadBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Safari reads the file some time after the click, and a revoked address no more.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
