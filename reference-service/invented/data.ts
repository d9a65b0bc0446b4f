import type { DeclarationOfInterest, HighSchool } from '../specification'
import type { UnsortedData } from '../store'
import { createArrivalTimes } from './arrival-times'
import { createInventor } from './leads'
import { type Person, splitWords, toAscii } from './people'
import { Random } from './random'
import { clockChanges } from './stockholm-time'
import names from './words/names.json'
import quirks from './words/quirks.json'

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
    const made = chosen.map((school, index) => {
      const later = index * (random.chance(0.7) ? 180_000 : dayMs) * (0.5 + random.unit())
      return inventor.inventDeclaration(random, writer, school, Math.min(now, Math.floor(drawnAt + later)))
    })
    declarationsOfInterest.push(...made.slice(0, declarations - declarationsOfInterest.length))
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

const hourMs = 3_600_000
const apartMs = 31 * hourMs
const toIso = (ms: number) => new Date(ms).toISOString()

/** Adds the leads that break careless software (`words/quirks.json`), and leads at difficult moments. */
function addQuirks({ highSchools, declarationsOfInterest, askedQuestions }: UnsortedData, now: number): void {
  // Every tier has a school.
  const schoolAt = (index: number) => highSchools[index % highSchools.length] as HighSchool
  const addDeclaration = (id: string, index: number, ms: number, user: DeclarationOfInterest['user']) =>
    declarationsOfInterest.push({ id, highSchoolId: schoolAt(index).id, createdAt: toIso(ms), user })
  const addQuestion = (
    id: string,
    index: number,
    ms: number,
    question: string,
    senderFields: { email?: string; phone?: string },
  ) => {
    const { id: highSchoolId, name: highSchoolName } = schoolAt(index)
    const { email = null, phone = '' } = senderFields
    const sender =
      email === null ? { mode: 'phone' as const, phone, email } : { mode: 'email' as const, email, phone: null }
    askedQuestions.push({ id, highSchoolId, highSchoolName, createdAt: toIso(ms), question, sender })
  }
  const addDeclarationAndQuestion = (
    ids: [string, string],
    index: number,
    ms: number,
    person: Person,
    question: string,
  ) => {
    addDeclaration(ids[0], index, ms, {
      ...person,
      highSchoolEnrollmentYear: new Date(ms).getUTCFullYear() + 1,
    })
    addQuestion(ids[1], index, ms, question, { email: person.email })
  }
  quirks.declarations.forEach((user, index) =>
    addDeclaration(`d-${index}`, index, now - 5 * hourMs - index * apartMs, user),
  )
  quirks.questions.forEach(({ question, ...senderFields }, index) =>
    addQuestion(
      `q-${index}`,
      index,
      now - 18 * hourMs - index * apartMs,
      generated[question] ?? question,
      senderFields,
    ),
  )
  // Leads arrive half an hour before, a millisecond before, at and half an hour after each of the last two clock changes.
  const year = new Date(now).getUTCFullYear()
  const changes = [year - 1, year].flatMap((each) => Object.values(clockChanges(each)))
  const latest = changes.filter((change) => change + hourMs < now).slice(-2)
  const around = latest.flatMap((change) => [change - hourMs / 2, change - 1, change, change + hourMs / 2])
  const times = [...around, ...Array.from({ length: 3 }, () => now - 75 * hourMs)]
  times.forEach((ms, index) => {
    const email = `nora.tidlund${index}@example.org`
    const person = { firstName: 'Nora', lastName: 'Tidlund', email, phone: '+46701740619' }
    addDeclarationAndQuestion(
      [`d-time-${index}`, `q-time-${index}`],
      index,
      ms,
      person,
      'Vilken tid stänger receptionen?',
    )
  })
  // One id is in both lists, because ids are unique within a list only.
  const tove = { firstName: 'Tove', lastName: 'Delmar', email: 'tove.delmar@example.com', phone: '+46701740618' }
  addDeclarationAndQuestion(['shared-id', 'shared-id'], 0, now - 100 * hourMs, tove, 'Kom min intresseanmälan fram?')
}

const sentences = `${quirks.sentences.join(' ')} `.repeat(100)
const generated: Record<string, string> = {
  '{long}': `Hej!\n\n${sentences}`.slice(0, 5000 - 6).concat('\nTack!'),
  '{address}': 'https://example.com/en-mycket-lang-adress-utan-mellanslag/'.padEnd(400, 'abcdefghij'),
}
