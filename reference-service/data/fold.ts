/** Text as it stands in an address or an id: a to z and digits, with `separator` for everything else. */
export function fold(text: string, separator: '' | '-'): string {
  return text
    .toLowerCase()
    .replace(/[łđı]/g, (letter) => plain[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, separator)
    .replace(/^-|-$/g, '')
}

/** Letters that Unicode does not take apart into a plain letter and a mark. */
const plain: Record<string, string> = { ł: 'l', đ: 'd', ı: 'i' }
