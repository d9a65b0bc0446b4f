import { describe, expect, it } from 'vitest'
import { inventData, inventDataGently, type Tier, tiers } from './data'
import { commonCount, words } from './people'
import { clockChanges } from './stockholm-time'
import nameLists from './words/names.json'

const now = Date.UTC(2026, 10, 21, 9)
const tierNames = Object.keys(tiers) as Tier[]
const medium = inventData({ tier: 'M', seed: 7, now })

describe('invented data', () => {
  it.each(tierNames)(
    'of tier %s has exactly its schools, declarations and questions, under ids of their own',
    (tier) => {
      const { highSchools, declarationsOfInterest, askedQuestions } = inventData({ tier, seed: 3, now })
      const [declarations, questions] = [declarationsOfInterest.length, askedQuestions.length]
      expect({ schools: highSchools.length, declarations, questions }).toEqual(tiers[tier])
      for (const list of [highSchools, declarationsOfInterest, askedQuestions]) {
        expect(new Set<string>(list.map(({ id }) => id)).size).toBe(list.length)
      }
      const known = new Set(highSchools.map(({ id }) => id))
      expect([...declarationsOfInterest, ...askedQuestions].every(({ highSchoolId }) => known.has(highSchoolId))).toBe(
        true,
      )
    },
  )

  it('is the same for the same seed, at once or in steps, and different for another', async () => {
    expect(inventData({ tier: 'M', seed: 7, now })).toEqual(medium)
    expect(await inventDataGently({ tier: 'M', seed: 7, now })).toEqual(medium)
    const other = inventData({ tier: 'M', seed: 8, now })
    expect(other.declarationsOfInterest.at(-1)?.user).not.toEqual(medium.declarationsOfInterest.at(-1)?.user)
  })

  it('has the same people under the same ids on another day, so that what was noted about them still fits', () => {
    const tomorrow = inventData({ tier: 'M', seed: 7, now: now + 86_400_000 })
    const people = ({ declarationsOfInterest }: typeof medium) =>
      declarationsOfInterest.map(({ id, highSchoolId, user }) => {
        const { firstName, lastName, phone } = user
        return { id, highSchoolId, firstName, lastName, phone }
      })
    expect(people(tomorrow)).toEqual(people(medium))
  })

  it('lies within the three years before now', () => {
    for (const { createdAt } of [...medium.declarationsOfInterest, ...medium.askedQuestions]) {
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(now)
      expect(Date.parse(createdAt)).toBeGreaterThan(now - 3.1 * 365 * 86_400_000)
    }
  })

  it('reaches nobody: addresses of example domains, numbers that are nobody’s', () => {
    const emails = medium.declarationsOfInterest.map(({ user }) => user.email.trim().toLowerCase())
    for (const { sender } of medium.askedQuestions) if (sender.email !== null) emails.push(sender.email.toLowerCase())
    for (const email of emails) expect(email).toMatch(/@example\.(se|com|org)$/)
    for (const { user } of medium.declarationsOfInterest) {
      const national = user.phone.replace(/\D/g, '').replace(/^(0046|46|0)0?/, '')
      expect(national).toMatch(/^(74\d{7}|7017406\d\d|7000000000)$/)
    }
  })

  it('names nobody by chance: two names that are common, each among the first half of its kind', () => {
    const common = (lists: Record<string, string>) =>
      new Set(Object.values(lists).flatMap((text) => words(text).slice(0, commonCount(words(text)))))
    const [first, last] = [common(nameLists.firstNames), common(nameLists.lastNames)]
    const drawn = medium.declarationsOfInterest.filter(({ id }) => !/^d-|^shared-id$/.test(id))
    expect(drawn.length).toBeGreaterThan(14_000)
    expect(drawn.filter(({ user }) => !first.has(user.firstName) || !last.has(user.lastName))).toEqual([])
  })

  it('follows the admission year: the application is busy, July is quiet, the night sleeps', () => {
    const months = Array.from({ length: 13 }, () => 0)
    let night = 0
    for (const { createdAt } of medium.declarationsOfInterest) {
      months[Number(createdAt.slice(5, 7))] = (months[Number(createdAt.slice(5, 7))] ?? 0) + 1
      if (Number(createdAt.slice(11, 13)) < 4) night++
    }
    const [, january = 0, february = 0, , , , june = 0, july = 0, , , , november = 0] = months
    expect(february).toBeGreaterThan(june)
    expect(november).toBeGreaterThan(june)
    expect(july).toBeLessThan(Math.min(june, january) / 2)
    expect(night / medium.declarationsOfInterest.length).toBeLessThan(0.05)
  })
})

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
