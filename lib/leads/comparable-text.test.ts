import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from './comparable-text'
import { composeLetters } from './plain-characters'
import { toSwedishSortKey } from './swedish-sort-key'

test.each([
  ['A\u030asa ÖBERG-Ängström', 'asa oberg-angstrom'],
  ['Zoë Müller-Łukasz Sørensen', 'zoe muller-lukasz sorensen'],
  ['STRAẞE', 'strasse'],
  ['  en\u00a0fråga\n\n om   mat ', 'en fraga om mat'],
  ['Yıldız', 'yildiz'],
  ['İbrahim', 'ibrahim'],
  ['Ŋiŋŋa Tuođđi', 'ninna tuoddi'],
  ['Əliyev Ƴelwa Ɗan', 'eliyev yelwa dan'],
  ['\uff27u\u00adn\u2060il\u200bla', 'gunilla'],
  ['\u202aÅsa\u202c \u0661\u06f2\uff13\u{1d7d2}', 'asa 1234'],
])('%j is found as %s', (text, folded) => expect(foldText(text)).toBe(folded))

test('a name is one with every apostrophe and with every dash', () => {
  for (const apostrophe of '`´ʼʻ‘’‛′\u02b9\u02c8\uff07\ua78c\u1ffd')
    expect(foldText(`O${apostrophe}Connor`), apostrophe).toBe("o'connor")
  for (const dash of '‐‑‒–—―−﹣－\u30a0\u058a') expect(foldText(`Anna${dash}Karin`), dash).toBe('anna-karin')
})

test('digits of every script are those of ASCII', () => {
  const folded = new Set<string>()
  for (const system of Intl.supportedValuesOf('numberingSystem')) {
    const digits = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false }).format(9_876_543_210)
    if (/^\p{Nd}+$/u.test(digits)) folded.add(foldText(digits))
  }
  expect([...folded]).toEqual(['9876543210'])
})

/** Letters of phoneticians and of Old English, which no name has. */
const NO_NAMES = new Set('ƅƍƛƨƪƺƽƾƿȝɂ')

test('every Latin letter that names are written with is found by plain ones', () => {
  const characters = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code))
  const letters = characters.filter((letter) => /(?=\p{Script=Latin})[\p{Lu}\p{Ll}\p{Lt}]/u.test(letter))
  expect(letters.length).toBeGreaterThan(400)
  const others = letters.filter((letter) => !/^'?[a-z]+·?$/.test(foldText(letter)))
  expect(others.filter((letter) => !NO_NAMES.has(letter.toLowerCase()))).toEqual([])
})

test('letters are composed, whatever they came as, and any number of marks is removed', () => {
  expect(composeLetters('A\u030asa O\u0308berg ½ ﬁ')).toBe('Åsa Öberg ½ ﬁ')
  expect(foldText(`e${'\u0301'.repeat(40)}n`)).toBe('en')
})

test.each(['\u0301\u0323', '\uff9e\u0323', 'a\u0301\u0323', '\u0344\u0323', '\u0301\u200d\u0323'])(
  'a hundred thousand marks on one letter take no longer than thirty (%j)',
  (pair) => {
    const long = `${pair.repeat(50_000)}x`
    for (const fold of [foldText, toSwedishSortKey]) {
      const before = process.threadCpuUsage()
      expect(fold(long)).toMatch(/x$/)
      expect(process.threadCpuUsage(before).user).toBeLessThan(250_000)
    }
  },
)

test('a folded text is folded already, so that stored text and query always meet', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'aoåÄöéü½´ß \u030a\u0308\u0301\u0323æﬁ\u200d\u00ad’‑\u0663ıŉ`\u0085') }),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text))
    }),
    { numRuns: 2000 },
  )
})
