import { findLengthFault, type PasswordFault } from '@/lib/contract/limits'
import { oncePerProcess } from '@/server/base/once-per-process'

const MIN_DIFFERENT_CHARACTERS = 5

/** Returns null for an acceptable password. `context` is one that mostly repeats the e-mail, the host or "Intag". */
export async function findPasswordFault(
  password: string,
  { email, origin }: { email: string; origin: string },
): Promise<PasswordFault | null> {
  const lengthFault = findLengthFault(password)
  if (lengthFault !== null) return lengthFault

  const plainPassword = toPlainLetters(password)
  // Digits and signs around a common password make it no better.
  const core = plainPassword.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const commonPasswords = await loadCommonPasswords()
  const isCommon = commonPasswords.has(plainPassword) || commonPasswords.has(core)
  if (isCommon || new Set(plainPassword).size < MIN_DIFFERENT_CHARACTERS) return 'common'

  const contextWords = toPlainLetters(`intag ${email} ${new URL(origin).hostname}`).match(/\p{L}{3,}/gu) ?? []
  const remainingText = contextWords.reduce((rest, word) => rest.replaceAll(word, ''), plainPassword)
  return remainingText.length * 2 < plainPassword.length ? 'context' : null
}

/** The list has 50 000 entries (half a megabyte), so it is loaded when the first password is chosen. */
const loadCommonPasswords = oncePerProcess('common-passwords', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
})

function toPlainLetters(text: string) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
