/** Returns a pattern that matches just this text, also with the flag `u`. Browsers have this built in since 2025 only. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
