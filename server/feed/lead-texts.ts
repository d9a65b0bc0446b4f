import 'server-only'
import { emailKey, NO_KEY, phoneKey } from '@/lib/contacts/contact-key'
import { phoneSearchText } from '@/lib/leads/search-terms'
import type { Lead } from '@/lib/contract/lead'
import { foldAccents, foldText, plainLetters, swedishSortKey } from '@/lib/leads/comparable-text'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { letterMarks, markLetter, utf8 } from '@/lib/leads/search-texts'

export type LeadTexts = {
  /** UTF-8; overwritten by the next call. */
  searchText: Uint8Array
  /** Which a and o are å ä ö (`lib/leads/search-texts`). */
  letters: readonly number[]
  sortName: string
  year: number
  mode: string | null
  emailKey: number
  phoneKey: number
}

export const BLANK_TEXTS: LeadTexts = {
  searchText: new Uint8Array(0),
  letters: [],
  sortName: '',
  year: NO_YEAR,
  mode: null,
  emailKey: NO_KEY,
  phoneKey: NO_KEY,
}

const NO_MODE = ''
const MAX_YEAR = 2_147_483_647

export function createLeadTexts(): (lead: Lead) => LeadTexts {
  const fold = createFolder()
  const nameKey = createNameKeys()
  const names = new Map<string, string>()

  const searched = (texts: (string | null)[], email: string | null, phone: string | null) => {
    const { text: searchText, letters } = fold(texts, phone === null ? '' : phoneSearchText(phone))
    return { searchText, letters, emailKey: emailKey(email), phoneKey: phoneKey(phone) }
  }

  return (lead) => {
    if ('sender' in lead) {
      const { mode, phone, email } = lead.sender
      const sortName = nameKey(email ?? phone ?? '')
      return { ...searched([email, lead.question], email, phone), sortName, year: NO_YEAR, mode }
    }
    const { firstName, lastName, email, phone, highSchoolEnrollmentYear: enrollmentYear } = lead.user
    const name = nameKey([firstName, lastName].filter((part) => part !== null).join(' '))
    const sameName = names.get(name)
    if (sameName === undefined) names.set(name, name)
    return {
      ...searched([firstName, lastName, email], email, phone),
      sortName: sameName ?? name,
      // Absurd years become the column's ends: they still sort last and first.
      year: enrollmentYear === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(MAX_YEAR, enrollmentYear)),
      mode: NO_MODE,
    }
  }
}

const SPACE = 32
const LATIN_1 = 256
const NOT_SIMPLE = -1
const FOLDED = letterTable(foldText, 127)
/** Keeps å ä ö: where the two tables differ is one of them. */
const KEPT = letterTable(foldAccents, 255)
const AE = 228
const NAME_KEYS = letterTable(swedishSortKey, 0xffff)
const NONE: readonly number[] = []

type Folded = { text: Uint8Array; letters: readonly number[] }

/** `foldText` of texts and digits, valid until the next call; the table is several times as fast for Swedish. */
function createFolder(): (texts: readonly (string | null)[], digits: string) => Folded {
  let bytes = new Uint8Array(1024)
  let letters: number[] = []
  let lastLetter = -1

  /** Null when a letter is not in the table. */
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

const MAX_NAME_LENGTH = 100

/** `swedishSortKey` by a table made of itself: several times as fast. */
function createNameKeys(): (name: string) => string {
  const units: number[] = []

  return (name) => {
    if (name.length > MAX_NAME_LENGTH) return swedishSortKey(name)
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

/** The fold of each Latin-1 letter, where that is one unit up to `highest`; ß, µ and the like are not simple. */
function letterTable(fold: (text: string) => string, highest: number): Int32Array {
  return Int32Array.from({ length: LATIN_1 }, (_, code) => {
    const folded = fold(`a${String.fromCharCode(code)}a`)
    const unit = folded.charCodeAt(1)
    return folded.length === 3 && unit <= highest ? unit : NOT_SIMPLE
  })
}

function isSimple(unit: number | undefined): unit is number {
  return unit !== undefined && unit !== NOT_SIMPLE
}
