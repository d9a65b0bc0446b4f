import type { HighSchool } from '../specification'
import type { UnsortedData } from '../store'
import { createArrivalTimes } from './arrival-times'
import { createInventor } from './leads'
import { splitWords, toAscii } from './people'
import { addQuirks } from './quirks'
import { Random } from './random'
import names from './words/names.json'

const dayMs = 86_400_000
const peoplePerStep = 1000

type InventOptions = { tier: Tier; seed: number; now: number }

export function inventData(options: InventOptions): UnsortedData {
  const steps = inventInSteps(options)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Like `inventData`, but returns to the event loop every 1000 people, so that a starting server keeps answering. */
export async function inventDataGently(options: InventOptions): Promise<UnsortedData> {
  const steps = inventInSteps(options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function* inventInSteps({ tier, seed, now }: InventOptions): Generator<undefined, UnsortedData> {
  // People and moments draw from separate streams, so that redrawing a moment changes no person.
  const [people, moments] = [new Random(seed), new Random(~seed)]
  const highSchools = inventSchools(tier)
  const data: UnsortedData = { highSchools, askedQuestions: [], declarationsOfInterest: [] }
  const inventor = createInventor(people.fork(), data)
  const draw = createArrivalTimes(now)
  addQuirks(data, now)
  const { declarationsOfInterest, askedQuestions } = data
  const { declarations, questions } = tiers[tier]

  for (let count = 1; declarationsOfInterest.length < declarations; count++) {
    const [random, drawnAt] = [people.fork(), draw(moments)]
    const writer = inventor.inventPupil(random, drawnAt)
    const luck = random.unit()
    const schools = luck < 0.62 ? 1 : luck < 0.84 ? 2 : luck < 0.95 ? 3 : 4
    const chosen = [...new Set(Array.from({ length: schools }, () => inventor.pickSchool(random)))]
    const leads = chosen.map((school, index) => {
      const later = index * (random.chance(0.7) ? 180_000 : dayMs) * (0.5 + random.unit())
      return inventor.inventDeclaration(random, writer, school, Math.min(now, Math.floor(drawnAt + later)))
    })
    declarationsOfInterest.push(...leads.slice(0, declarations - declarationsOfInterest.length))
    if (count % peoplePerStep === 0) yield
  }
  for (let count = 1; askedQuestions.length < questions; count++) {
    const [random, drawnAt] = [people.fork(), draw(moments)]
    if (random.chance(0.7)) {
      const writer = inventor.inventPupilOrParent(random, drawnAt)
      askedQuestions.push(inventor.inventQuestion(random, writer, inventor.pickSchool(random), drawnAt))
    } else {
      const { user: person, highSchoolId, createdAt } = random.pick(declarationsOfInterest)
      const school = highSchools.find(({ id }) => id === highSchoolId) ?? inventor.pickSchool(random)
      const askedAt = Math.min(now, Date.parse(createdAt) + (random.below(9) - 3) * dayMs + random.below(5_400_000))
      const writer = { person, enrollmentYear: person.highSchoolEnrollmentYear, isParent: false }
      askedQuestions.push(inventor.inventQuestion(random, writer, school, askedAt))
    }
    if (count % peoplePerStep === 0) yield
  }
  return data
}

export function inventSchools(tier: Tier): HighSchool[] {
  const places = splitWords(names.schoolPlaces)
  const all = [...names.firstSchools, ...schoolForms.flatMap((form) => places.map(form))]
  return all.slice(0, tiers[tier].schools).map((name) => ({ id: toAscii(name, '-'), name }))
}

const schoolForms: readonly ((place: string) => string)[] = [
  (place) => `${place}s gymnasium`,
  (place) => `Praktiska skolan i ${place}`,
  (place) => `${place} Teknik & Design`,
  (place) => `Fria Gymnasiet ${place}`,
]

/** Sizes of the tiers: S is one small school, XL the largest group of schools with three years of leads, Stress more than any. */
export const tiers = {
  S: { schools: 1, declarations: 500, questions: 170 },
  M: { schools: 5, declarations: 14_400, questions: 4_800 },
  L: { schools: 30, declarations: 16_000, questions: 5_400 },
  XL: { schools: 147, declarations: 75_000, questions: 25_000 },
  Stress: { schools: 147, declarations: 190_000, questions: 62_000 },
} as const

export type Tier = keyof typeof tiers

export function isTier(text: string): text is Tier {
  return Object.hasOwn(tiers, text)
}
