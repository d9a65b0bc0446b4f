import type { DeclarationOfInterest, HighSchool } from '../specification'
import type { UnsortedData } from '../store'
import { clockChanges } from './arrival-times'
import quirks from './words/quirks.json'

const hourMs = 3_600_000
const apartMs = 31 * hourMs
const iso = (at: number) => new Date(at).toISOString()

/**
 * The cases that break careless software, in every tier: spellings of one person, siblings, markup, formulas, odd
 * numbers and years (`words/quirks.json`), and the moments below.
 */
export function addQuirks({ highSchools, declarationsOfInterest, askedQuestions }: UnsortedData, now: number): void {
  const declare = (id: string, index: number, at: number, user: DeclarationOfInterest['user']) =>
    declarationsOfInterest.push({ id, highSchoolId: schoolAt(highSchools, index).id, createdAt: iso(at), user })
  const ask = (id: string, index: number, at: number, question: string, by: { email?: string; phone?: string }) => {
    const { id: highSchoolId, name: highSchoolName } = schoolAt(highSchools, index)
    const { email = null, phone = '' } = by
    const sender =
      email === null ? { mode: 'phone' as const, phone, email } : { mode: 'email' as const, email, phone: null }
    askedQuestions.push({ id, highSchoolId, highSchoolName, createdAt: iso(at), question, sender })
  }
  const both = (ids: [string, string], index: number, at: number, person: Person, question: string) => {
    declare(ids[0], index, at, { ...person, highSchoolEnrollmentYear: new Date(at).getUTCFullYear() + 1 })
    ask(ids[1], index, at, question, { email: person.email })
  }
  quirks.declarations.forEach((fields, index) => {
    const [firstName, lastName, email, phone, highSchoolEnrollmentYear] = fields as Declared
    const user = { firstName, lastName, email, phone, highSchoolEnrollmentYear }
    declare(`d-${index}`, index, now - 5 * hourMs - index * apartMs, user)
  })
  quirks.questions.forEach(({ question, ...by }, index) =>
    ask(`q-${index}`, index, now - 18 * hourMs - index * apartMs, generated[question]?.() ?? question, by),
  )
  const times = [...clockChangeTimes(now), ...Array.from({ length: 3 }, () => now - 75 * hourMs)]
  times.forEach((at, index) => {
    const email = `nora.tidlund${index}@example.org`
    const person = { firstName: 'Nora', lastName: 'Tidlund', email, phone: '+46701740619' }
    both([`d-time-${index}`, `q-time-${index}`], index, at, person, 'Vilken tid stänger receptionen?')
  })
  // One id in both lists: ids are unique within a list only.
  const tove = { firstName: 'Tove', lastName: 'Delmar', email: 'tove.delmar@example.com', phone: '+46701740618' }
  both(['shared-id', 'shared-id'], 0, now - 100 * hourMs, tove, 'Kom min intresseanmälan fram?')
}

type Person = Omit<DeclarationOfInterest['user'], 'highSchoolEnrollmentYear'>
type Declared = [firstName: string, lastName: string, email: string, phone: string, highSchoolEnrollmentYear: number]

const generated: Record<string, () => string> = {
  '{long}': () => longText(5000),
  '{address}': () => 'https://example.com/en-mycket-lang-adress-utan-mellanslag/'.padEnd(400, 'abcdefghij'),
}

function longText(length: number): string {
  let text = 'Hej!\n\n'
  for (let index = 0; text.length < length; index++) text += `${quirks.sentences[index % quirks.sentences.length]} `
  return `${text.slice(0, length - 6)}\nTack!`
}

/** The last millisecond before, the moment of, and half an hour on both sides of the latest two clock changes. */
function clockChangeTimes(now: number): number[] {
  const year = new Date(now).getUTCFullYear()
  const changes = [year - 1, year].flatMap((each) => Object.values(clockChanges(each)))
  const latest = changes.filter((change) => change + hourMs < now).slice(-2)
  return latest.flatMap((change) => [change - hourMs / 2, change - 1, change, change + hourMs / 2])
}

function schoolAt(schools: readonly HighSchool[], index: number): HighSchool {
  const school = schools[index % schools.length]
  if (!school) throw new RangeError('a tier has at least one school')
  return school
}
