import type { AskedQuestion, DeclarationOfInterest, HighSchool } from '../specification'
import { createPeople, type Person, spellPhone } from './people'
import type { Random } from './random'
import words from './words/questions.json'

export type Inventor = ReturnType<typeof createInventor>

type Writer = { person: Person; enrollmentYear: number; isParent: boolean }

/** Invents single leads; the first schools are the most popular. `seeded` only decides which phones exist. */
export function createInventor(seeded: Random, schools: readonly HighSchool[]) {
  const inventPerson = createPeople(seeded)

  function pupil(random: Random, at: number): Writer {
    const enrollmentYear = inventEnrollmentYear(random, at)
    return { person: inventPerson(random, enrollmentYear - 16), enrollmentYear, isParent: false }
  }

  function pupilOrParent(random: Random, at: number): Writer {
    if (random.chance(0.55)) return pupil(random, at)
    const enrollmentYear = inventEnrollmentYear(random, at)
    return { person: inventPerson(random, enrollmentYear - 42 - random.below(18)), enrollmentYear, isParent: true }
  }

  function declaration(random: Random, writer: Writer, to: HighSchool, at: number): DeclarationOfInterest {
    const { firstName, lastName, email, phone } = writer.person
    const spelled = { email: respelledEmail(random, email), phone: respelledPhone(random, phone) }
    return {
      id: inventId(random),
      highSchoolId: to.id,
      createdAt: new Date(at).toISOString(),
      user: { firstName, lastName, ...spelled, highSchoolEnrollmentYear: writer.enrollmentYear },
    }
  }

  function question(random: Random, { person, ...about }: Writer, to: HighSchool, at: number): AskedQuestion {
    const id = inventId(random)
    const sender = inventSender(random, person)
    const name = random.chance(0.6) ? person.firstName : `${person.firstName} ${person.lastName}`
    const date = new Date(at)
    return {
      id,
      highSchoolId: to.id,
      highSchoolName: to.name,
      createdAt: date.toISOString(),
      question: inventQuestionText(random, { name, schoolName: to.name, ...about }, date.getUTCMonth() + 1),
      sender,
    }
  }

  return { pupil, pupilOrParent, declaration, question, school: (random: Random) => random.pickEarly(schools) }
}

function inventSender(random: Random, { email, phone }: Person): AskedQuestion['sender'] {
  if (random.chance(0.68)) return { mode: 'email', email: respelledEmail(random, email), phone: null }
  return { mode: 'phone', phone: random.chance(0.5) ? phone : spellPhone(random, phone), email: null }
}

function inventEnrollmentYear(random: Random, at: number): number {
  const date = new Date(at)
  const next = date.getUTCFullYear() + (date.getUTCMonth() >= 8 ? 1 : 0)
  const luck = random.unit()
  return luck < 0.81 ? next : luck < 0.95 ? next + 1 : luck < 0.99 ? next + 2 : next - 1
}

function inventId(random: Random): string {
  const part = () =>
    Math.floor(random.unit() * 36 ** 6)
      .toString(36)
      .padStart(6, '0')
  return part() + part() + part()
}

function respelledEmail(random: Random, email: string): string {
  return random.chance(0.04) ? `${email[0]?.toUpperCase()}${email.slice(1)}` : email
}

function respelledPhone(random: Random, phone: string): string {
  return random.chance(0.05) ? spellPhone(random, phone) : phone
}

type Asker = { name: string; schoolName: string; enrollmentYear: number; isParent: boolean }

/** A question as it may come in the month (1 to 12) given; put together from pieces, so that few are alike. */
function inventQuestionText(random: Random, asker: Asker, month: number): string {
  const text = random.chance(0.05)
    ? random.pick(words.otherLanguageQuestions)
    : inSwedish(random, asker.isParent, month)
  const programme = random.pick(words.programmes)
  return text.replace(/\{(\w+)\}/g, (_, slot: string) => fill(random, asker, programme, slot))
}

function inSwedish(random: Random, isParent: boolean, month: number): string {
  const parts: string[] = []
  if (random.chance(0.75)) parts.push(random.pickEarly(words.greetings))
  if (random.chance(0.6)) parts.push(random.pick(isParent ? words.parentContexts : words.pupilContexts))
  parts.push(random.pick(coresOf(random, month)))
  if (random.chance(0.3)) parts.push(random.pick(words.anytimeCores))
  const closing = random.chance(0.6) ? random.pick(words.closings) : undefined
  const paragraph = [...new Set(parts)]
    .join(' ')
    .replace(/^([^.!?]*, )(\p{Lu})/u, (_, greeting: string, first: string) => {
      return greeting + first.toLowerCase()
    })
  return styled(random, closing === undefined ? paragraph : `${paragraph}${random.pick([' ', '\n\n', '\n'])}${closing}`)
}

function coresOf(random: Random, month: number): readonly string[] {
  if (random.chance(0.45)) return words.anytimeCores
  if (month >= 10) return words.autumnCores
  return month <= 5 ? words.applicationCores : words.startCores
}

function styled(random: Random, text: string): string {
  if (random.chance(0.1)) return text.toLowerCase()
  if (random.chance(0.05)) return text.replaceAll('?', '??')
  return text
}

function fill(random: Random, asker: Asker, programme: string, slot: string): string {
  const one = (list: 'subjects' | 'languages' | 'sports' | 'towns') => random.pick(words[list])
  const slots: Record<string, () => string> = {
    name: () => asker.name,
    school: () => asker.schoolName,
    year: () => String(asker.enrollmentYear),
    merit: () => String(150 + 2.5 * random.below(72)).replace('.', ','),
    count: () => String(2 + random.below(7)),
    programme: () => programme,
    other: () => random.pick(words.programmes.filter((other) => other !== programme)),
    subject: () => one('subjects'),
    language: () => one('languages'),
    sport: () => one('sports'),
    town: () => one('towns'),
  }
  const filled = slots[slot]?.()
  if (filled === undefined) throw new Error(`no words for {${slot}}`)
  return filled
}
