import { describe, expect, it } from 'vitest'
import { clockChanges } from './arrival-times'
import { inventData } from './data'

const now = Date.UTC(2026, 10, 21, 9)
const { declarationsOfInterest, askedQuestions } = inventData({ tier: 'S', seed: 1, now })
const users = declarationsOfInterest.map(({ user }) => user)
const texts = askedQuestions.map(({ question }) => question)
const names = users.map(({ firstName, lastName }) => `${firstName} ${lastName}`)

describe('the smallest tier already has', () => {
  it.each([
    [
      'letters beyond a to z, double names and noble particles',
      names,
      [/å/i, /ä/i, /ö/i, /é/i, /\p{L}+-\p{L}+/u, /\bvon /, /’|'/, /[\u0600-\u06ff]/],
    ],
    [
      'texts of every awkward sort',
      texts,
      [
        /\n\n/,
        /\r\n/,
        /"[^"]+"/,
        /;/,
        /\p{Extended_Pictographic}/u,
        /<script>/,
        /<img [^>]*onerror/,
        /[\u0600-\u06ff]/,
        /\u202e/i,
        /^[^]{5000}$/,
      ],
    ],
    ['questions that look like formulas', texts, [/^=HYPERLINK\(/, /^\+46/, /^-1/, /^@SUM/, /^\t=/]],
    ['names that do', names, [/^=HYPERLINK\(/]],
  ])('%s', (_, found, patterns) => {
    expect(patterns.filter((pattern) => !found.some((text) => pattern.test(text)))).toEqual([])
  })

  it('siblings who share a phone', () => {
    const [one, other] = users.filter(
      ({ lastName, phone }) => lastName === 'Lindström-Hagen' && phone === '+46701740605',
    )
    expect(one?.firstName).not.toBe(other?.firstName)
    expect(one?.email).not.toBe(other?.email)
  })

  it('one person who writes several times, by both kinds, in many spellings', () => {
    const isHers = (email: string | null) => email?.trim().toLowerCase() === 'asa.oberg@example.se'
    const hers = users.filter(({ email }) => isHers(email))
    expect(new Set(hers.map(({ email }) => email)).size).toBeGreaterThanOrEqual(3)
    expect(hers.map(({ phone }) => phone)).toEqual(
      expect.arrayContaining(['+46701740606', '070-174 06 06', '0046701740606', '+46 70 174 06 06']),
    )
    expect(askedQuestions.some(({ sender }) => isHers(sender.email))).toBe(true)
    expect(askedQuestions.some(({ sender }) => sender.phone === '0701740606')).toBe(true)
  })

  it('equal moments, in both lists', () => {
    for (const list of [declarationsOfInterest, askedQuestions]) {
      const moments = list.map(({ createdAt }) => createdAt)
      expect(new Set(moments).size).toBeLessThanOrEqual(moments.length - 2)
    }
  })

  it('moments on both sides of both clock changes', () => {
    const { toSummer, toWinter } = clockChanges(2026)
    for (const list of [declarationsOfInterest, askedQuestions]) {
      const moments = new Set(list.map(({ createdAt }) => Date.parse(createdAt)))
      for (const at of [toSummer - 1, toSummer, toWinter - 1, toWinter]) expect(moments.has(at)).toBe(true)
    }
  })

  it('the impossible number and impossible years', () => {
    expect(users.some(({ phone }) => phone === '+467000000000')).toBe(true)
    const years = users.map(({ highSchoolEnrollmentYear }) => highSchoolEnrollmentYear)
    expect(years).toEqual(expect.arrayContaining([1999, 2020, 9999, 0]))
  })

  it('an id that a question and a declaration share', () => {
    const questionIds = new Set(askedQuestions.map(({ id }) => id))
    expect(declarationsOfInterest.filter(({ id }) => questionIds.has(id))).toHaveLength(1)
  })
})

it('larger tiers have the person who writes to several schools', () => {
  const { declarationsOfInterest: many } = inventData({ tier: 'M', seed: 1, now })
  const hers = many.filter(({ user }) => user.email.trim().toLowerCase() === 'asa.oberg@example.se')
  expect(new Set(hers.map(({ highSchoolId }) => highSchoolId)).size).toBeGreaterThan(1)
})
