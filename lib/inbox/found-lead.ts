import { type SearchTerm, searchTerms } from '@/lib/leads/search-terms'
import { headingOf, isQuestion, type Named, oneLine, OPENING_LENGTH, openingOf, waysBesideHeading } from './lead-text'
import { markedParts, meetings, readPhone, readText, type ReadText, type TextPart } from './match-ranges'

/** What a row shows of a lead that a search found, so that it can be seen why. */
export type FoundLead = {
  heading: readonly TextPart[]
  /** Null where the lead is no question. */
  question: readonly TextPart[] | null
  /** Addresses and phones that have what does not stand above them; none when it shows everything. */
  ways: readonly (readonly TextPart[])[]
}

export function foundLead(item: Named, query: string): FoundLead {
  const terms = searchTerms(query)
  const heading = headingOf(item) ?? { is: 'name', text: '' }
  const question = isQuestion(item) ? { is: 'question', text: openingAround(item.question, terms) } : null
  // A question is not found by the name that other leads tell, so that name is no reason.
  const isOwn = question === null || heading.is !== 'name'
  const seen = question === null ? null : { ...question, text: question.text.slice(0, SURE) }
  let unseen = isOwn ? unmet(heading, terms) : terms
  if (seen !== null) unseen = unmet(seen, unseen)
  const ways: (readonly TextPart[])[] = []
  for (const way of waysBesideHeading(item)) {
    const still = unmet(way, unseen)
    if (still.length < unseen.length) ways.push(partsOf(way, terms))
    unseen = still
  }
  return { heading: partsOf(heading, terms), question: question && partsOf(question, terms), ways }
}

type Shown = { is: string; text: string }

function partsOf(shown: Shown, terms: readonly SearchTerm[]): TextPart[] {
  return markedParts(shown.text, read(shown), terms)
}

function read({ is, text }: Shown): ReadText {
  return is === 'phone' ? readPhone(text) : readText(text)
}

function unmet(shown: Shown, terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const found = meetings(read(shown), terms)
  return terms.filter((_, at) => found[at]?.length === 0)
}

/** So many characters of a question can be seen even in a narrow row. */
const SURE = 36
/** So many of them come before what was met, for one to see what it is about. */
const BEFORE = 18

/** The opening of a question, or what stands around the first match where that would not be seen in the opening. */
export function openingAround(question: string, terms: readonly SearchTerm[]): string {
  const line = oneLine(question)
  const [first] = meetings(readText(line), terms)
    .flat()
    .toSorted(([a], [b]) => a - b)
  if (first === undefined || first[1] <= SURE) return openingOf(line)
  const from = wordBetween(line, Math.max(0, first[0] - BEFORE), first[0])
  return `… ${openingOf(line.slice(from, from + 2 * OPENING_LENGTH))}`
}

/** Further into a word the match would not be seen if the row began with that word. */
const DEEP = 26

/** Where a word begins, as early as may be; the match itself where it lies deep in a word. */
function wordBetween(line: string, from: number, match: number): number {
  const space = line.indexOf(' ', from)
  if (space !== -1 && space < match) return space + 1
  const word = line.lastIndexOf(' ', match) + 1
  return match - word <= DEEP ? word : match
}
