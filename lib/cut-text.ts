/** Cuts a text to a length in UTF-16 units. Half of a surrogate pair never stays, because no encoding can hold it. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength)
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Cuts a longer text and ends it with `…`, within `maxLength`. */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text
}
