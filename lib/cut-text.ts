/** The beginning of a text, at most so many UTF-16 units; never half of a surrogate pair, which no encoding can hold. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most)
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}
