import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparableEmail, comparablePhone } from './contact-key'
import { respelledEmail } from './testing/respelled'

test('any spelling of an e-mail address is the same address', () => {
  fc.assert(
    fc.property(respelledEmail('elsa.ek-1@skola.se'), (raw) => {
      expect([raw, comparableEmail(raw)]).toEqual([raw, 'elsa.ek-1@skola.se'])
    }),
    { numRuns: 1_000 },
  )
  for (const raw of ['mailto:elsa.ek-1@skola.se', '<elsa.ek-1@skola.se>', 'elsa.ek\u20111@skola.se'])
    expect(comparableEmail(raw)).toBe('elsa.ek-1@skola.se')
  expect(comparableEmail('åsa@skola.se')).not.toBe(comparableEmail('asa@skola.se'))
})

/** What a protection stored before these rules has. */
const storedEmail = (email: string) => email.trim().toLowerCase()
function storedPhone(phone: string): string {
  const compact = phone.replace(/[\s().\-–—/\u00a0\u200e\u200f\u202a-\u202e]+/g, '')
  const digits = compact.replace(/^(?:\+|00)/, '')
  const isInternational = digits !== compact || digits.startsWith('46')
  const international = isInternational ? digits : `46${digits.slice(1)}`
  const number = `+${international.startsWith('460') ? `46${international.slice(3)}` : international}`
  return (isInternational || compact.startsWith('0')) && /^\+[1-9]\d{6,14}$/.test(number) ? number : phone.trim()
}

test('what was stored by earlier rules is compared as what it was made of', () => {
  const unit = fc.constantFrom(...'0123456789+46-–\u2011\u200b /()å ISK\u0130\u0660ﬁ,#')
  const phone = fc.oneof(fc.string({ unit, maxLength: 14 }), fc.stringMatching(/^(0|\+46|46|00)[0-9]{8,10}$/))
  const examples = ['080312-2386', '460312-2386', '20080312-2386', '+46 00 1234567', '070\u2011174 06 05']
  fc.assert(
    fc.property(phone, (raw) => {
      // Behind the zeros of such a number there are too few digits for a phone.
      fc.pre(!/^\+460+(?:[1-9]\d{0,3})?$/.test(storedPhone(raw)))
      expect([raw, comparablePhone(storedPhone(raw))]).toEqual([raw, comparablePhone(raw)])
    }),
    { numRuns: 5_000, examples: examples.map((one): [string] => [one]) },
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
      expect(comparableEmail(storedEmail(raw))).toBe(comparableEmail(raw))
    }),
    { numRuns: 2_000, examples: [['Α\u200bΣ\u200b']] },
  )
})
