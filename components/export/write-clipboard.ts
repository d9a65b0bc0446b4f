/**
 * Writes a text that is still on its way. The promise goes to the clipboard itself, since Safari lets nobody write once an
 * answer was waited for. False when the browser refused.
 */
export async function writeClipboard(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((plain) => new Blob([plain], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return navigator.clipboard.writeText(await text).then(
      () => true,
      () => false,
    )
  }
}
