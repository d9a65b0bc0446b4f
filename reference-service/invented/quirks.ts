import type { DeclarationOfInterest, HighSchool } from '../specification'
import type { UnsortedData } from '../store'
import { findClockChanges, HOUR_MS } from './arrival-times'
import quirks from './words/quirks.json'

const QUIRK_INTERVAL_MS = 31 * HOUR_MS

const LONG_TEXT = `${quirks.sentences.join(' ')} `.repeat(100)
const GENERATED_QUESTIONS: Record<string, string> = {
  '{long}': `Hej!\n\n${LONG_TEXT}`.slice(0, 4994).concat('\nTack!'),
  '{address}': 'https://example.com/en-mycket-lang-adress-utan-mellanslag/'.padEnd(400, 'abcdefghij'),
}

/** `index` chooses the school, modulo their number, because the smallest tier has one school only. */
type Placement = { id: string; index: number; createdAtMs: number }

/** Adds the leads that break careless software (`words/quirks.json`), and leads at difficult moments. */
export function addQuirks({ highSchools, declarationsOfInterest, askedQuestions }: UnsortedData, now: number) {
  const schoolAt = (index: number) => highSchools[index % highSchools.length] as HighSchool

  function addDeclaration({ id, index, createdAtMs }: Placement, user: DeclarationOfInterest['user']) {
    const createdAt = new Date(createdAtMs).toISOString()
    declarationsOfInterest.push({ id, highSchoolId: schoolAt(index).id, createdAt, user })
  }

  function addQuestion(place: Placement, question: string, address: { email?: string; phone?: string }) {
    const { id: highSchoolId, name: highSchoolName } = schoolAt(place.index)
    const { email, phone = '' } = address
    const sender =
      email === undefined
        ? { mode: 'phone' as const, phone, email: null }
        : { mode: 'email' as const, email, phone: null }
    const createdAt = new Date(place.createdAtMs).toISOString()
    askedQuestions.push({ id: place.id, highSchoolId, highSchoolName, createdAt, question, sender })
  }

  for (const [index, user] of quirks.declarations.entries())
    addDeclaration({ id: `d-${index}`, index, createdAtMs: now - 5 * HOUR_MS - index * QUIRK_INTERVAL_MS }, user)
  for (const [index, { question, ...address }] of quirks.questions.entries()) {
    const place = { id: `q-${index}`, index, createdAtMs: now - 18 * HOUR_MS - index * QUIRK_INTERVAL_MS }
    addQuestion(place, GENERATED_QUESTIONS[question] ?? question, address)
  }

  // Leads come half an hour before, a millisecond before, at and half an hour after the last two clock changes.
  const year = new Date(now).getUTCFullYear()
  const changes = [year - 1, year].flatMap((changeYear) => Object.values(findClockChanges(changeYear)))
  const pastChanges = changes.filter((change) => change + HOUR_MS < now).slice(-2)
  const moments = pastChanges.flatMap((change) => [change - HOUR_MS / 2, change - 1, change, change + HOUR_MS / 2])
  const sameMoments = Array.from({ length: 3 }, () => now - 75 * HOUR_MS)
  for (const [index, createdAtMs] of [...moments, ...sameMoments].entries()) {
    const email = `nora.tidlund${index}@example.org`
    const highSchoolEnrollmentYear = new Date(createdAtMs).getUTCFullYear() + 1
    const user = { firstName: 'Nora', lastName: 'Tidlund', email, phone: '+46701740619', highSchoolEnrollmentYear }
    addDeclaration({ id: `d-time-${index}`, index, createdAtMs }, user)
    addQuestion({ id: `q-time-${index}`, index, createdAtMs }, 'Vilken tid stänger receptionen?', { email })
  }

  // One id is in both lists, because ids are unique within a list only.
  const shared = { id: 'shared-id', index: 0, createdAtMs: now - 100 * HOUR_MS }
  const email = 'tove.delmar@example.com'
  const highSchoolEnrollmentYear = new Date(shared.createdAtMs).getUTCFullYear() + 1
  const tove = { firstName: 'Tove', lastName: 'Delmar', email, phone: '+46701740618', highSchoolEnrollmentYear }
  addDeclaration(shared, tove)
  addQuestion(shared, 'Kom min intresseanmälan fram?', { email })
}
