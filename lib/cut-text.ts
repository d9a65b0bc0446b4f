/** The beginning of a text, at most so many UTF-16 units; never half of a surrogate pair, which no encoding can hold. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most)
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** The text where it has at most so many UTF-16 units, else its beginning and `…`, together as many. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${cutText(text, most - 1)}…` : text
}
