import type { AskedQuestion, DeclarationOfInterest, HighSchool } from '../specification'
import type { UnsortedData } from '../store'
import { clockChanges } from './arrival-times'
import { quirkDeclarations, quirkQuestions } from './words/quirks'

const hourMs = 3_600_000
/** Far enough apart that they are spread over some weeks, and not all in the first screenful. */
const apartMs = 31 * hourMs

/** The cases that break careless software; every tier has all of them. */
export function addQuirks(data: UnsortedData, now: number): void {
  const school = (index: number) => schoolAt(data.highSchools, index)
  const times = [...clockChangeTimes(now), ...Array.from({ length: 3 }, () => now - 75 * hourMs)]

  quirkDeclarations.forEach((user, index) => {
    const at = now - 5 * hourMs - index * apartMs
    data.declarationsOfInterest.push(declarationOf(`d-${index}`, school(index), at, user))
  })
  quirkQuestions.forEach(({ question, sender }, index) => {
    const at = now - 18 * hourMs - index * apartMs
    data.askedQuestions.push(questionOf(`q-${index}`, school(index), at, question, sender))
  })
  // Moments around the clock changes, then one moment three times, in both lists.
  times.forEach((at, index) => {
    const email = `nora.tidlund${index}@example.org`
    const user = {
      firstName: 'Nora',
      lastName: 'Tidlund',
      email,
      phone: '+46701740619',
      highSchoolEnrollmentYear: yearAfter(at),
    }
    data.declarationsOfInterest.push(declarationOf(`d-time-${index}`, school(index), at, user))
    const sender = { mode: 'email', email, phone: null } as const
    data.askedQuestions.push(
      questionOf(`q-time-${index}`, school(index), at, 'Vilken tid stänger receptionen?', sender),
    )
  })
  addSharedId(data, now - 100 * hourMs)
}

/** One id for a question and a declaration: ids are unique within a list only. */
function addSharedId(data: UnsortedData, at: number): void {
  const [school, email] = [schoolAt(data.highSchools, 0), 'tove.delmar@example.com']
  const user = {
    firstName: 'Tove',
    lastName: 'Delmar',
    email,
    phone: '+46701740618',
    highSchoolEnrollmentYear: yearAfter(at),
  }
  const sender = { mode: 'email', email, phone: null } as const
  data.declarationsOfInterest.push(declarationOf('shared-id', school, at, user))
  data.askedQuestions.push(questionOf('shared-id', school, at, 'Kom min intresseanmälan fram?', sender))
}

function declarationOf(
  id: string,
  school: HighSchool,
  at: number,
  user: DeclarationOfInterest['user'],
): DeclarationOfInterest {
  return { id, highSchoolId: school.id, createdAt: new Date(at).toISOString(), user }
}

function questionOf(
  id: string,
  school: HighSchool,
  at: number,
  question: string,
  sender: AskedQuestion['sender'],
): AskedQuestion {
  return {
    id,
    highSchoolId: school.id,
    highSchoolName: school.name,
    createdAt: new Date(at).toISOString(),
    question,
    sender,
  }
}

/** The last millisecond before, the moment of, and half an hour on both sides of the latest two clock changes. */
function clockChangeTimes(now: number): number[] {
  const year = new Date(now).getUTCFullYear()
  const changes = [year - 1, year].flatMap((each) => Object.values(clockChanges(each)))
  const latest = changes.filter((change) => change + hourMs < now).slice(-2)
  return latest.flatMap((change) => [change - hourMs / 2, change - 1, change, change + hourMs / 2])
}

function yearAfter(at: number): number {
  return new Date(at).getUTCFullYear() + 1
}

function schoolAt(schools: readonly HighSchool[], index: number): HighSchool {
  const school = schools[index % schools.length]
  if (!school) throw new RangeError('a tier has at least one school')
  return school
}
