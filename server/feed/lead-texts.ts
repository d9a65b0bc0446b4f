import 'server-only'
import { emailKey, NO_KEY, phoneKey } from '@/lib/contacts/contact-key'
import { phoneSearchText } from '@/lib/contacts/phone-search'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import { foldAccents, foldText, plainLetters, swedishSortKey } from '@/lib/leads/comparable-text'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { letterMarks, markLetter, utf8 } from '@/lib/leads/search-texts'

/** What the columns keep of a lead beside its id, school and moment. */
export type LeadTexts = {
  /** UTF-8; overwritten by the next. */
  searchText: Uint8Array
  /** Which a and o of it are å ä ö (`lib/leads/search-texts`). */
  letters: readonly number[]
  sortName: string
  year: number
  mode: string | null
  emailKey: number
  phoneKey: number
}

/** Of a record that is no lead. */
export const BLANK_TEXTS: LeadTexts = {
  searchText: new Uint8Array(0),
  letters: [],
  sortName: '',
  year: NO_YEAR,
  mode: null,
  emailKey: NO_KEY,
  phoneKey: NO_KEY,
}

/** The only mode in a list without contact modes. */
const NO_MODE = ''

/** Reads the texts and keys out of leads, one after the other. */
export function createLeadTexts(): (lead: Lead) => LeadTexts {
  const fold = createFolder()
  const nameKey = createNameKeys()
  const interned = createInterning()

  function ofQuestion({ sender: { mode, phone, email }, question }: AskedQuestion): LeadTexts {
    const { text: searchText, letters } = fold([email, question], phoneDigits(phone))
    const sortName = nameKey(email ?? phone ?? '')
    return { searchText, letters, sortName, year: NO_YEAR, mode, ...keysOf(email, phone) }
  }

  function ofDeclaration({ user }: DeclarationOfInterest): LeadTexts {
    const { firstName, lastName, email, phone, highSchoolEnrollmentYear } = user
    const { text: searchText, letters } = fold([firstName, lastName, email], phoneDigits(phone))
    const sortName = interned(nameKey([firstName, lastName].filter((part) => part !== null).join(' ')))
    const year = columnYear(highSchoolEnrollmentYear)
    return { searchText, letters, sortName, year, mode: NO_MODE, ...keysOf(email, phone) }
  }

  return (lead) => ('sender' in lead ? ofQuestion(lead) : ofDeclaration(lead))
}

function keysOf(email: string | null, phone: string | null) {
  return { emailKey: emailKey(email), phoneKey: phoneKey(phone) }
}

function phoneDigits(phone: string | null): string {
  return phone === null ? '' : phoneSearchText(phone)
}

/** Equal texts become one: who declares an interest in several schools is in the list several times. */
function createInterning(): (text: string) => string {
  const texts = new Map<string, string>()
  return (text) => {
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
}

/** Absurd years, beyond what the column can hold, become its ends: they still sort last and first. */
function columnYear(year: number | null): number {
  return year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(2_147_483_647, year))
}

const SPACE = 32
const LATIN_1 = 256
const NOT_SIMPLE = -1
const FOLDED = letterTable(foldText, 127)
/** Likewise, but å ä ö stay: where the two differ is one of them. */
const KEPT = letterTable(foldAccents, 255)
const AE = 228
const NAME_KEYS = letterTable(swedishSortKey, 0xffff)
const NONE: readonly number[] = []

/** A folded text as UTF-8, and which a and o in it are å ä ö. */
type Folded = { text: Uint8Array; letters: readonly number[] }

/**
 * `foldText` of several texts and then some digits, in one; its bytes hold until the next. Letter by letter through a table
 * made of `foldText` itself: several times as fast for Swedish.
 */
export function createFolder(): (texts: readonly (string | null)[], digits: string) => Folded {
  let bytes = new Uint8Array(1024)
  let letters: number[] = []
  let lastLetter = -1

  /** All of it folded by the table, or null when some letter is not in it. */
  function byTable(texts: readonly (string | null)[], digits: string): Folded | null {
    let length = digits.length + 1
    for (const text of texts) length += text === null ? 0 : text.length + 1
    if (length > bytes.length) bytes = new Uint8Array(length * 2)
    if (letters.length > 0) letters = []
    lastLetter = -1
    let size = 0
    for (const text of texts) {
      if (text !== null) size = foldInto(size, text)
      if (size === NOT_SIMPLE) return null
    }
    size = foldInto(size, digits)
    const text = bytes.subarray(0, Math.max(0, size - 1))
    return { text, letters: letters.length === 0 ? NONE : letters }
  }

  /** Appends the folded text and one space, never a second space or one at the front. */
  function foldInto(start: number, text: string): number {
    let size = start
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const folded = FOLDED[code]
      if (!isSimple(folded)) return NOT_SIMPLE
      if (KEPT[code] !== folded) lastLetter = markLetter(letters, lastLetter, size, KEPT[code] === AE)
      if (folded !== SPACE) bytes[size++] = folded
      else if (size > 0 && bytes[size - 1] !== SPACE) bytes[size++] = SPACE
    }
    if (size > 0 && bytes[size - 1] !== SPACE) bytes[size++] = SPACE
    return size
  }

  return (texts, digits) => {
    const simple = byTable(texts, digits)
    if (simple !== null) return simple
    const folded = foldAccents(texts.filter((text) => text !== null).join(' '))
    const text = plainLetters(folded)
    return (
      byTable([folded], digits) ?? {
        text: utf8(digits === '' ? text : `${text} ${digits}`),
        letters: letterMarks(folded),
      }
    )
  }
}

const LONGEST_NAME = 100

/** `swedishSortKey` through a table made of itself: several times as fast for names with å ä ö é. */
export function createNameKeys(): (name: string) => string {
  const units: number[] = []

  return (name) => {
    if (name.length > LONGEST_NAME) return swedishSortKey(name)
    units.length = 0
    for (let at = 0; at < name.length; at++) {
      const unit = NAME_KEYS[name.charCodeAt(at)]
      if (!isSimple(unit)) return swedishSortKey(name)
      if (unit !== SPACE || (units.length > 0 && units.at(-1) !== SPACE)) units.push(unit)
    }
    if (units.at(-1) === SPACE) units.pop()
    return String.fromCharCode(...units)
  }
}

/**
 * What `fold` makes of each Latin-1 letter, as a code unit, where that is one unit up to `highest`. For folds that treat
 * such letters one by one; ß, µ and the like are not simple.
 */
function letterTable(fold: (text: string) => string, highest: number): Int32Array {
  return Int32Array.from({ length: LATIN_1 }, (_, code) => {
    const folded = fold(`a${String.fromCharCode(code)}a`)
    const unit = folded.charCodeAt(1)
    return folded.length === 3 && unit <= highest ? unit : NOT_SIMPLE
  })
}

/** Letters beyond the table are not simple either. */
function isSimple(unit: number | undefined): unit is number {
  return unit !== undefined && unit !== NOT_SIMPLE
}
