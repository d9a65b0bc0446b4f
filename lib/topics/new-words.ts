import type { AskedQuestion, Lead } from '@/lib/contract/lead'
import { MAX_LETTERS, stemOf } from './topics'

/** Before a word that may be a name: written with a capital within a sentence, or in the sender's address. */
export const MAYBE_NAME = '^'
export const maybeName = (marked: string): boolean => marked.startsWith(MAYBE_NAME)
const WORD = /[\p{L}\d_@.:/-]+/gu
/** Words that every text has, months and days: they come and go by chance. */
const COMMON = new Set(
  'även också eller efter innan under över mellan sedan ännu alltid aldrig ibland kanske gärna bara redan igen utan sådan sådant sådana vilken vilket vilka dessa detta denna deras hennes hade kunde skulle ville måste blev blir blivit varit vara finns fanns från till inte medan eftersom därför annars annan annat andra samma själv själva hela några något någon ingen inga mycket många flera mest mindre bättre nästa förra idag imorgon igår snart januari februari mars april maj juni juli augusti september oktober november december måndag tisdag onsdag torsdag fredag lördag söndag also even from with have will would could should there their they what when where which after before about because this that your some other only more most just still next last monday tuesday wednesday thursday friday saturday sunday january february march june july august october'.split(
    ' ',
  ),
)
const PLAIN = /^[a-zåäö]{4,20}$/u
const SENTENCE_ENDS = /(?:^|[.!?:\n])\s*$/u
const LETTERS = /[\p{L}]{2,}/gu

/**
 * Each plain word of a question once, in lower case; what has digits, signs or other letters is left out. What may be a name is
 * marked, since the others may write it in lower case.
 */
export function writtenWords({ question, sender }: AskedQuestion | Extract<Lead, AskedQuestion>): readonly string[] {
  const text = question.slice(0, MAX_LETTERS).normalize('NFC')
  const found = new Set<string>()
  for (const { 0: match, index } of text.matchAll(WORD)) {
    const word = match.replace(/[.:/-]+$/u, '')
    const lower = word.toLowerCase()
    if (!PLAIN.test(lower) || COMMON.has(lower)) continue
    const isWithin = word !== lower && !SENTENCE_ENDS.test(text.slice(Math.max(0, index - 4), index))
    found.add(isWithin ? MAYBE_NAME + lower : lower)
  }
  for (const [part] of (sender.email ?? '').normalize('NFC').toLowerCase().matchAll(LETTERS))
    found.add(MAYBE_NAME + part)
  return [...found]
}

/** One question: the words that `writtenWords` found, when it came, and by whom. */
export type Written = { words: readonly string[]; day: number; person: number }
/** `from` is a Monday: the four weeks until `to`, beside the twelve before. */
export type NewWordsQuery = {
  from: number
  to: number
  isTopical: (word: string) => boolean
  isName: (word: string) => boolean
}

/** Fewer people than this never name a word. */
export const MIN_PEOPLE = 10
const MAX_SHOWN = 5
const LEAST_TIMES = 3
/** Standard deviations beyond what the weeks before let expect. */
const LEAST_SIGNIFICANCE = 4

/** Words that far more people write than before, most people first; the forms of one word count together. */
export function newWords(questions: readonly Written[], { from, to, isTopical, isName }: NewWordsQuery) {
  const stems = new Map<string, Stem>()
  const askers = { now: new Set<number>(), before: new Set<number>() }
  for (const { words, day, person } of questions) {
    const when = day >= from ? (day <= to ? 'now' : null) : 'before'
    if (when !== null) askers[when].add(person)
    for (const marked of words) count(stems, marked, when, person)
  }
  const share = askers.now.size / Math.max(1, askers.before.size)
  const isUnusual = ({ now, before, mayBeName }: Stem) => {
    const usual = (before.size + 1) * share
    const isMore = now.size >= LEAST_TIMES * usual && now.size - usual >= LEAST_SIGNIFICANCE * Math.sqrt(usual)
    return !mayBeName && now.size >= MIN_PEOPLE && isMore
  }
  const candidates = [...stems.values()].filter(isUnusual).toSorted((a, b) => b.now.size - a.now.size)
  const shown: { word: string; people: number }[] = []
  for (const { now, forms } of candidates) {
    if (shown.length === MAX_SHOWN) break
    if ([...forms.keys()].some((form) => isTopical(form) || isName(form))) continue
    const [word] = [...forms].toSorted(([, a], [, b]) => b - a)[0] ?? ['']
    shown.push({ word, people: now.size })
  }
  return shown
}

type Stem = { now: Set<number>; before: Set<number>; forms: Map<string, number>; mayBeName: boolean }

function count(stems: Map<string, Stem>, marked: string, when: 'now' | 'before' | null, person: number): void {
  const mayBeName = maybeName(marked)
  const word = mayBeName ? marked.slice(1) : marked
  const key = stemOf(word)
  const stem = stems.get(key) ?? { now: new Set(), before: new Set(), forms: new Map(), mayBeName: false }
  stems.set(key, stem)
  stem.mayBeName ||= mayBeName
  if (when === null || mayBeName) return
  stem[when].add(person)
  if (when === 'now') stem.forms.set(word, (stem.forms.get(word) ?? 0) + 1)
}
