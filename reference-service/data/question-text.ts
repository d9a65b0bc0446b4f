import type { Random } from './random'
import { languages, programmes, sports, subjects, towns } from './words/programmes'
import { otherLanguageQuestions } from './words/questions-other'
import * as swedish from './words/questions-swedish'

export type Asker = { name: string; schoolName: string; enrollmentYear: number; isParent: boolean }

/** A question as it may come in the month (1 to 12) given; put together from pieces, so that few are alike. */
export function inventQuestionText(random: Random, asker: Asker, month: number): string {
  const text = random.chance(0.05) ? random.pick(otherLanguageQuestions) : inSwedish(random, asker.isParent, month)
  const programme = random.pick(programmes)
  return text.replace(/\{(\w+)\}/g, (_, slot: string) => fill(random, asker, programme, slot))
}

function inSwedish(random: Random, isParent: boolean, month: number): string {
  const pieces: string[] = []
  if (random.chance(0.75)) pieces.push(random.pickEarly(swedish.greetings))
  if (random.chance(0.6)) pieces.push(random.pick(isParent ? swedish.parentContexts : swedish.pupilContexts))
  pieces.push(random.pick(coresOf(random, month)))
  if (random.chance(0.3)) pieces.push(random.pick(swedish.anytimeCores))
  const closing = random.chance(0.6) ? random.pick(swedish.closings) : undefined
  const paragraph = [...new Set(pieces)]
    .join(' ')
    .replace(/^([^.!?]*, )(\p{Lu})/u, (_, greeting: string, first: string) => {
      return greeting + first.toLowerCase()
    })
  return styled(random, closing === undefined ? paragraph : `${paragraph}${random.pick([' ', '\n\n', '\n'])}${closing}`)
}

function coresOf(random: Random, month: number): readonly string[] {
  if (random.chance(0.45)) return swedish.anytimeCores
  if (month >= 10) return swedish.autumnCores
  return month <= 5 ? swedish.applicationCores : swedish.startCores
}

/** Some write without capitals, some without an end to their questions. */
function styled(random: Random, text: string): string {
  if (random.chance(0.1)) return text.toLowerCase()
  if (random.chance(0.05)) return text.replaceAll('?', '??')
  return text
}

function fill(random: Random, asker: Asker, programme: string, slot: string): string {
  switch (slot) {
    case 'name':
      return asker.name
    case 'school':
      return asker.schoolName
    case 'year':
      return String(asker.enrollmentYear)
    case 'merit':
      return String(150 + 2.5 * random.below(72)).replace('.', ',')
    case 'count':
      return String(2 + random.below(7))
    case 'programme':
      return programme
    case 'other':
      return random.pick(programmes.filter((other) => other !== programme))
    case 'subject':
      return random.pick(subjects)
    case 'language':
      return random.pick(languages)
    case 'sport':
      return random.pick(sports)
    case 'town':
      return random.pick(towns)
    default:
      throw new Error(`no words for {${slot}}`)
  }
}
