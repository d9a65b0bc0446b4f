import type { HighSchool } from '../specification'
import type { UnsortedData } from '../store'
import { createArrivalTimes, DAY_MS, MINUTE_MS } from './arrival-times'
import { createInventor } from './leads'
import { splitWords, toAscii } from './people'
import { addQuirks } from './quirks'
import { cumulativeShares, Random } from './random'
import names from './words/names.json'

/** How many people in a hundred declare interest in one, two, three and four schools. */
const SCHOOL_COUNT_SHARES = cumulativeShares([62, 22, 11, 5])

/** S is one small school, XL the largest group of schools with three years of leads, and Stress more than any has. */
export const TIERS = {
  S: { schools: 1, declarations: 500, questions: 170 },
  M: { schools: 5, declarations: 14_400, questions: 4_800 },
  L: { schools: 30, declarations: 16_000, questions: 5_400 },
  XL: { schools: 147, declarations: 75_000, questions: 25_000 },
  Stress: { schools: 147, declarations: 190_000, questions: 62_000 },
} as const

export type Tier = keyof typeof TIERS

const SCHOOL_NAME_FORMS: readonly ((place: string) => string)[] = [
  (place) => `${place}s gymnasium`,
  (place) => `Praktiska skolan i ${place}`,
  (place) => `${place} Teknik & Design`,
  (place) => `Fria Gymnasiet ${place}`,
]

export function inventData({ tier, seed, now }: { tier: Tier; seed: number; now: number }): UnsortedData {
  // People and moments draw from separate streams, so that redrawing a moment changes no person.
  const peopleRandom = new Random(seed)
  const momentRandom = new Random(~seed)
  const highSchools = inventSchools(tier)
  const data: UnsortedData = { highSchools, askedQuestions: [], declarationsOfInterest: [] }
  const { declarationsOfInterest, askedQuestions } = data
  // The quirks come first, so that the inventor gives nobody else their addresses and phones.
  addQuirks(data, now)
  const inventor = createInventor(peopleRandom.fork(), data)
  const drawArrivalTime = createArrivalTimes(now)

  function inventDeclarations(random: Random, arrivedAtMs: number) {
    const writer = inventor.inventPupil(random, arrivedAtMs)
    const schoolCount = 1 + random.pickIndex(SCHOOL_COUNT_SHARES)
    const chosen = new Set(Array.from({ length: schoolCount }, () => inventor.pickSchool(random)))
    return Array.from(chosen, (school, index) => {
      const delayMs = index * (random.chance(0.7) ? 3 * MINUTE_MS : DAY_MS) * (0.5 + random.unit())
      return inventor.inventDeclaration(random, writer, school, Math.min(now, Math.floor(arrivedAtMs + delayMs)))
    })
  }

  /** Three in ten questions come from someone who has declared interest. */
  function inventQuestion(random: Random, arrivedAtMs: number) {
    if (random.chance(0.7)) {
      const writer = inventor.inventPupilOrParent(random, arrivedAtMs)
      return inventor.inventQuestion(random, writer, inventor.pickSchool(random), arrivedAtMs)
    }
    const { user: person, highSchoolId, createdAt } = random.pick(declarationsOfInterest)
    const school = highSchools.find(({ id }) => id === highSchoolId) ?? inventor.pickSchool(random)
    const askedAt = Math.min(now, Date.parse(createdAt) + (random.below(9) - 3) * DAY_MS + random.below(90 * MINUTE_MS))
    const writer = { person, enrollmentYear: person.highSchoolEnrollmentYear, isParent: false }
    return inventor.inventQuestion(random, writer, school, askedAt)
  }

  const { declarations, questions } = TIERS[tier]
  while (declarationsOfInterest.length < declarations) {
    const leads = inventDeclarations(peopleRandom.fork(), drawArrivalTime(momentRandom))
    declarationsOfInterest.push(...leads.slice(0, declarations - declarationsOfInterest.length))
  }
  while (askedQuestions.length < questions)
    askedQuestions.push(inventQuestion(peopleRandom.fork(), drawArrivalTime(momentRandom)))
  return data
}

export function inventSchools(tier: Tier): HighSchool[] {
  const places = splitWords(names.schoolPlaces)
  const all = [...names.firstSchools, ...SCHOOL_NAME_FORMS.flatMap((form) => places.map(form))]
  return all.slice(0, TIERS[tier].schools).map((name) => ({ id: toAscii(name, '-'), name }))
}

export function isTier(text: string): text is Tier {
  return Object.hasOwn(TIERS, text)
}
