import { describe, expect, it } from 'vitest'
import { inventData, inventSchools, TIERS } from './data'
import { countCommon, splitWords } from './people'
import nameLists from './words/names.json'
import quirks from './words/quirks.json'

const now = Date.UTC(2026, 10, 21, 9)
const medium = inventData({ tier: 'M', seed: 7, now })

describe('invented data', () => {
  it.each(['S', 'M', 'L'] as const)('of tier %s has exactly its numbers, each id once, each lead a school', (tier) => {
    const { highSchools, declarationsOfInterest, askedQuestions } = inventData({ tier, seed: 3, now })
    const countIds = (list: readonly { id: string }[]) => new Set(list.map(({ id }) => id)).size
    const { schools, declarations, questions } = TIERS[tier]
    expect([highSchools, declarationsOfInterest, askedQuestions].map(countIds)).toEqual([
      schools,
      declarations,
      questions,
    ])
    const knownIds = new Set(highSchools.map(({ id }) => id))
    const leads = [...declarationsOfInterest, ...askedQuestions]
    expect(leads).toHaveLength(declarations + questions)
    expect(leads.filter(({ highSchoolId }) => !knownIds.has(highSchoolId))).toEqual([])
  })

  it('has as many schools as the largest group', () => {
    expect(new Set(inventSchools('XL').map(({ id }) => id)).size).toBe(TIERS.XL.schools)
  })

  it('is the same for the same seed, and different for another', () => {
    expect(inventData({ tier: 'M', seed: 7, now })).toEqual(medium)
    const other = inventData({ tier: 'M', seed: 8, now })
    expect(other.declarationsOfInterest.at(-1)?.user).not.toEqual(medium.declarationsOfInterest.at(-1)?.user)
  })

  it('has the same people under the same ids on another day, so that what was noted about them still fits', () => {
    const tomorrow = inventData({ tier: 'M', seed: 7, now: now + 86_400_000 })
    const people = ({ declarationsOfInterest }: typeof medium) =>
      declarationsOfInterest.map(({ id, highSchoolId, user: { firstName, lastName, phone } }) => {
        return { id, highSchoolId, firstName, lastName, phone }
      })
    expect(people(tomorrow)).toEqual(people(medium))
  })

  it('reaches nobody: addresses of example domains, numbers that are nobody’s', () => {
    const senders = medium.askedQuestions.map(({ sender }) => sender)
    const users = medium.declarationsOfInterest.map(({ user }) => user)
    const emails = [...senders, ...users].flatMap(({ email }) => email ?? [])
    for (const email of emails) expect(email.trim()).toMatch(/@example\.(se|com|org)$/i)
    for (const { phone } of users) {
      const national = phone.replace(/\D/g, '').replace(/^(0046|46|0)0?/, '')
      expect(national).toMatch(/^(74\d{7}|7017406\d\d|7000000000)$/)
    }
  })

  it('names nobody by chance: two names that are common, each among the first half of its kind', () => {
    const common = (lists: Record<string, string>) =>
      new Set(Object.values(lists).flatMap((text) => splitWords(text).slice(0, countCommon(splitWords(text)))))
    const [first, last] = [common(nameLists.firstNames), common(nameLists.lastNames)]
    const drawn = medium.declarationsOfInterest.filter(({ id }) => !/^d-|^shared-id$/.test(id))
    expect(drawn.length).toBeGreaterThan(14_000)
    expect(drawn.filter(({ user }) => !first.has(user.firstName) || !last.has(user.lastName))).toEqual([])
  })
})

describe('the smallest tier already has', () => {
  const { declarationsOfInterest, askedQuestions } = inventData({ tier: 'S', seed: 1, now })

  it('every lead that breaks careless software', () => {
    const users = declarationsOfInterest.map(({ user }) => user)
    expect(users).toEqual(expect.arrayContaining(quirks.declarations))
    const texts = new Set(askedQuestions.map(({ question }) => question))
    const generated = new Set(['{long}', '{address}'])
    expect(quirks.questions.filter(({ question }) => !texts.has(question) && !generated.has(question))).toEqual([])
    expect([...texts].map(({ length }) => length)).toContain(5000)
  })
})
