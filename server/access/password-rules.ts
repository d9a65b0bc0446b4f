import { findLengthFault, type PasswordFault } from '@/lib/contract/limits'
import { oncePerProcess } from '@/server/base/once-per-process'

type PasswordContext = { email: string; name?: string; origin: string; schools?: readonly string[] }

const DIGITS = '1234567890'
const KEYBOARDS = ['qwertyuiop asdfghjkl zxcvbnm', 'qwertyuiopå asdfghjklöä zxcvbnm'].map((keys) =>
  toPlainLetters(keys).split(' '),
)
const SEQUENCES = [DIGITS, 'abcdefghijklmnopqrstuvwxyz', ...KEYBOARDS.flat()]
/** A run goes on at the beginning of its sequence, or in the next row of the keyboard. */
const KEY_RUNS = [...SEQUENCES.map((keys) => keys.repeat(2)), ...KEYBOARDS.map((rows) => [DIGITS, ...rows].join(''))]

/** Common choices at Swedish schools, few of which are in the list of common passwords. */
const LOCAL_WORDS =
  `intag skola skolan gymnasium gymnasiet gymnasieskola antagning antagningen kommun kommunen elev elever
  rektor larare intresse fraga fragor losenord januari februari mars april maj juni juli augusti september oktober
  november december mandag tisdag onsdag torsdag fredag lordag sondag sommar sommaren vinter vintern host hosten var
  varen valkommen hemligt sverige`.split(/\s+/)

/** Says whether a password's length is wrong, or it is common, or mostly of words from its context; else null. */
export async function findPasswordFault(password: string, context: PasswordContext): Promise<PasswordFault | null> {
  const lengthFault = findLengthFault(password)
  if (lengthFault !== null) return lengthFault

  // A run of keys, letters or digits is common, forwards and backwards.
  const plainPassword = toPlainLetters(password)
  const reversed = [...plainPassword].reverse().join('')
  if (KEY_RUNS.some((run) => run.includes(plainPassword) || run.includes(reversed))) return 'common'

  // Digits around a common password, or its repetition, make it no better.
  const commonPasswords = await loadCommonPasswords()
  for (const spelling of [password.toLowerCase(), plainPassword]) {
    const core = spelling.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    const unit = findRepeatedUnit(spelling)
    const variants = [spelling, core, findRepeatedUnit(core), unit]
    if (variants.some((variant) => commonPasswords.has(variant)) || [...unit].length <= 4) return 'common'
  }

  // At least half of the letters must be outside the words of the user, the installation and its schools.
  const { email, name = '', origin, schools = [] } = context
  const contextWords = [email, name, new URL(origin).hostname, ...schools].join(' ').split(/[^\p{L}]+/u)
  const words = [...contextWords.map(toPlainLetters).filter((word) => word.length >= 3), ...LOCAL_WORDS]
  const longestFirst = words.sort((a, b) => b.length - a.length)
  const otherText = longestFirst.reduce((rest, word) => rest.replaceAll(word, ' '), plainPassword)
  return countLetters(otherText) * 2 < countLetters(plainPassword) ? 'context' : null
}

/** The list has 50 000 entries (half a megabyte), so it is loaded when the first password is chosen. */
const loadCommonPasswords = oncePerProcess('common-passwords', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
})

function toPlainLetters(text: string) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function countLetters(text: string) {
  return text.match(/\p{L}/gu)?.length ?? 0
}

/** Finds the shortest text whose repetition gives `text` ("abc" for "abcabcab"), or else returns `text` itself. */
function findRepeatedUnit(text: string) {
  for (let length = 1; length * 2 <= text.length; length += 1) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit
  }
  return text
}
