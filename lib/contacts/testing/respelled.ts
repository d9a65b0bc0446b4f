import fc from 'fast-check'

/** These characters are invisible: soft hyphens, joiners, marks of direction, fillers. */
const UNSEEN = [...'\u00ad\u200b\u200d\u200e\u2060\u2066\u2069\u202e\ufeff\ufe0f\u034f\u061c\u0000\u3164']
const SEPARATORS = [...' -.()/\u00a0\u2009\u2010\u2011\u2013\u2212\uff0d·_\u2022[]']
const ZEROS = [0x0660, 0x06f0, 0x0966, 0xff10, 0x1d7ce, 0x1e950]

const between = (marks: readonly string[]) =>
  fc.array(fc.constantFrom(...marks), { maxLength: 2 }).map((some) => some.join(''))

function respelled(text: string, marks: readonly string[]): fc.Arbitrary<string> {
  const characters = Array.from(text, (character) => {
    const wide = String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)
    const alike = /\d/.test(character)
      ? ZEROS.map((zero) => String.fromCodePoint(zero + Number(character)))
      : [wide, character.toUpperCase()]
    return fc.tuple(
      between(marks),
      fc.oneof({ weight: 3, arbitrary: fc.constant(character) }, fc.constantFrom(...alike)),
    )
  })
  return fc.tuple(fc.tuple(...characters), between(UNSEEN)).map(([parts, end]) => parts.flat().join('') + end)
}

/** Spells a phone with separators, invisible characters and digits of other scripts. */
export const respelledPhone = (phone: string) => respelled(phone, [...UNSEEN, ...SEPARATORS])

/** Spells an e-mail address with invisible characters and spaces, in full width and in capitals. */
export const respelledEmail = (email: string) => respelled(email, [...UNSEEN, ' ', '\u00a0'])
