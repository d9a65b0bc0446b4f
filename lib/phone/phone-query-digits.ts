const PHONE_LIKE = /^[\d\s().+\-–—/]+$/
const NON_DIGITS = /\D+/g

/** The digits of a search that can only be (a part of) a phone, in the form `phoneSearchText` stores; null for other text. */
export function phoneQueryDigits(query: string): string | null {
  if (!PHONE_LIKE.test(query)) return null
  const digits = query.replace(NON_DIGITS, '')
  if (digits.length < 2) return null
  const international = digits.startsWith('00') ? digits.slice(2) : digits
  return international.startsWith('460') ? `46${international.slice(3)}` : international
}
