import { describe, expect, it } from 'vitest'
import { inventData, inventDataGently, type Tier, tiers } from './data'

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

  it('does not repeat itself: most questions of thousands are worded alike by nobody else', () => {
    const texts = medium.askedQuestions.map(({ question }) => question)
    expect(new Set(texts).size / texts.length).toBeGreaterThan(0.85)
    expect(texts.filter((text) => /\{\w+\}|undefined|NaN/.test(text))).toEqual([])
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

  it('is mostly about the next two autumns', () => {
    const soon = medium.declarationsOfInterest.filter(({ createdAt, user }) => {
      const gap = user.highSchoolEnrollmentYear - Number(createdAt.slice(0, 4))
      return gap >= 0 && gap <= 2
    })
    expect(soon.length / medium.declarationsOfInterest.length).toBeGreaterThan(0.95)
  })
})
