/** Returns a pattern that matches just this text, also with the flag `u`. (`RegExp.escape` is not in all browsers.) */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
