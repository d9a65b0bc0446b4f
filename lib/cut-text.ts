/** In UTF-16 units; never half of a surrogate pair, which no encoding can hold. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength)
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** With its `…` at most as long. */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text
}
