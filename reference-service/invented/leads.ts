import type { AskedQuestion, DeclarationOfInterest, HighSchool } from '../specification'
import type { ServiceData } from '../store'
import { createPersonInventor, type Person } from './people'
import { spellPhone } from './phones'
import { cumulativeShares, type Random } from './random'
import words from './words/questions.json'

const SEPTEMBER = 9
const PUPIL_AGE = 16
const MIN_PARENT_AGE = 42
/** Of a hundred leads 81 are about the next enrollment year, 14 and 4 about later ones, and one about the last. */
const YEARS_FROM_NEXT = [0, 1, 2, -1]
const YEAR_SHARES = cumulativeShares([81, 14, 4, 1])

type Writer = { person: Person; enrollmentYear: number; isParent: boolean }

/** Invents leads, most for the first schools. `phoneRandom` draws the first phone, and each call's `random` the rest. */
export function createInventor(phoneRandom: Random, { highSchools: schools, ...existingLeads }: ServiceData) {
  const senders = existingLeads.askedQuestions.map(({ sender }) => sender)
  const inventPerson = createPersonInventor(phoneRandom, [
    ...senders,
    ...existingLeads.declarationsOfInterest.map(({ user }) => user),
  ])
  const inventPupil = (random: Random, createdAtMs: number): Writer => {
    const enrollmentYear = inventEnrollmentYear(random, createdAtMs)
    return { person: inventPerson(random, enrollmentYear - PUPIL_AGE), enrollmentYear, isParent: false }
  }
  return {
    pickSchool: (random: Random) => random.pickEarly(schools),
    inventPupil,
    inventPupilOrParent(random: Random, createdAtMs: number): Writer {
      if (random.chance(0.55)) return inventPupil(random, createdAtMs)
      const enrollmentYear = inventEnrollmentYear(random, createdAtMs)
      return {
        person: inventPerson(random, enrollmentYear - MIN_PARENT_AGE - random.below(18)),
        enrollmentYear,
        isParent: true,
      }
    },
    inventDeclaration(random: Random, writer: Writer, school: HighSchool, createdAtMs: number): DeclarationOfInterest {
      const { firstName, lastName, ...person } = writer.person
      const email = respellEmail(random, person.email)
      const phone = random.chance(0.05) ? spellPhone(random, person.phone) : person.phone
      const user = { firstName, lastName, email, phone, highSchoolEnrollmentYear: writer.enrollmentYear }
      return { id: inventId(random), highSchoolId: school.id, createdAt: new Date(createdAtMs).toISOString(), user }
    },
    inventQuestion(
      random: Random,
      { person, ...asker }: Writer,
      school: HighSchool,
      createdAtMs: number,
    ): AskedQuestion {
      const id = inventId(random)
      const { email, phone } = person
      const sender = random.chance(0.68)
        ? { mode: 'email' as const, email: respellEmail(random, email), phone: null }
        : { mode: 'phone' as const, phone: random.chance(0.5) ? phone : spellPhone(random, phone), email: null }
      const name = random.chance(0.6) ? person.firstName : `${person.firstName} ${person.lastName}`
      const date = new Date(createdAtMs)
      const question = inventQuestionText(random, { name, schoolName: school.name, ...asker }, date.getUTCMonth() + 1)
      const highSchool = { highSchoolId: school.id, highSchoolName: school.name }
      return { id, ...highSchool, createdAt: date.toISOString(), question, sender }
    },
  }
}

function inventEnrollmentYear(random: Random, createdAtMs: number) {
  const date = new Date(createdAtMs)
  const next = date.getUTCFullYear() + (date.getUTCMonth() + 1 >= SEPTEMBER ? 1 : 0)
  return next + (YEARS_FROM_NEXT[random.pickIndex(YEAR_SHARES)] ?? 0)
}

function inventId(random: Random) {
  const drawCharacters = () =>
    Math.floor(random.unit() * 36 ** 6)
      .toString(36)
      .padStart(6, '0')
  return drawCharacters() + drawCharacters() + drawCharacters()
}

function respellEmail(random: Random, email: string) {
  return random.chance(0.04) ? `${email[0]?.toUpperCase()}${email.slice(1)}` : email
}

type Asker = Omit<Writer, 'person'> & { name: string; schoolName: string }

/** Composes a question of this month (1 to 12) from pieces, so that few are alike. */
function inventQuestionText(random: Random, asker: Asker, month: number) {
  const text = random.chance(0.05)
    ? random.pick(words.otherLanguageQuestions)
    : composeSwedishQuestion(random, asker.isParent, month)
  const programme = random.pick(words.programmes)
  const slots: Record<string, () => string> = {
    name: () => asker.name,
    school: () => asker.schoolName,
    year: () => String(asker.enrollmentYear),
    merit: () => String(150 + 2.5 * random.below(72)).replace('.', ','),
    count: () => String(2 + random.below(7)),
    programme: () => programme,
    other: () => random.pick(words.programmes.filter((other) => other !== programme)),
    subject: () => random.pick(words.subjects),
    language: () => random.pick(words.languages),
    sport: () => random.pick(words.sports),
    town: () => random.pick(words.towns),
  }
  return text.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const filled = slots[slot]?.()
    if (filled === undefined) throw new Error(`no words for {${slot}}`)
    return filled
  })
}

function composeSwedishQuestion(random: Random, isParent: boolean, month: number) {
  const parts: string[] = []
  if (random.chance(0.75)) parts.push(random.pickEarly(words.greetings))
  if (random.chance(0.6)) parts.push(random.pick(isParent ? words.parentContexts : words.pupilContexts))
  const isSeasonal = !random.chance(0.45)
  parts.push(random.pick(isSeasonal ? findSeasonalCores(month) : words.anytimeCores))
  if (random.chance(0.3)) parts.push(random.pick(words.anytimeCores))
  const closing = random.chance(0.6) ? random.pick(words.closings) : undefined
  const paragraph = [...new Set(parts)]
    .join(' ')
    // After a greeting with a comma the sentence goes on in lower case.
    .replace(/^([^.!?]*, )(\p{Lu})/u, (_, greeting: string, first: string) => greeting + first.toLowerCase())
  const text = closing === undefined ? paragraph : `${paragraph}${random.pick([' ', '\n\n', '\n'])}${closing}`
  if (random.chance(0.1)) return text.toLowerCase()
  return random.chance(0.05) ? text.replaceAll('?', '??') : text
}

function findSeasonalCores(month: number) {
  if (month >= 10) return words.autumnCores
  return month <= 5 ? words.applicationCores : words.startCores
}
