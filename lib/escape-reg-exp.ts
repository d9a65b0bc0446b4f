/** Returns a pattern that matches just this text, also with the flag `u`. `RegExp.escape` is too new (2025). */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
