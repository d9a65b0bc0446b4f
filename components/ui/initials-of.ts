/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => /\p{L}|\p{N}/u.test(word))
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return [first, last]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('sv')
}
