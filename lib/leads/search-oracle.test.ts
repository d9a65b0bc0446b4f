import { describe, expect, test } from 'vitest'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { Lead } from '@/lib/contract/lead'
import { highlightPhone, highlightText } from '@/lib/inbox/highlighted-lead'
import { expectEvery } from '@/lib/testing/every-case'
import { findPosition, selectPage } from './select-page'
import { selectRows } from './select-rows'
import { leadTableOf } from './testing/lead-table-of'
import { unrestrictedContext } from './testing/leads'
import { SEARCH_QUERIES, searchedDeclarations, searchedQuestions } from './testing/searched-leads'

/* Finds by the plainest means what a search must find, in its order: letter by letter, without tables. */
describe.each([
  ['declarations', leadTableOf('declaration-of-interest', searchedDeclarations), searchedDeclarations],
  ['questions', leadTableOf('asked-question', searchedQuestions), searchedQuestions],
] as const)('%s', (_, table, all: readonly Lead[]) => {
  test('every query finds what the plain search finds, in its order, page by page', () =>
    expectEvery(SEARCH_QUERIES, JSON.stringify, (q) => {
      const rows = selectRows(table, { q }, unrestrictedContext)
      const page = { q, offset: 0, limit: table.size, schoolSortKey: String }
      const { inOrder, newestFirst } = plainSearch(all, q)
      const idsOn = (one: Parameters<typeof selectPage>[2]) => selectPage(table, rows, one).map((row) => table.id[row])
      expect(idsOn(page)).toEqual(inOrder)
      expect(idsOn({ ...page, sort: '-createdAt' }), 'an order that is asked for').toEqual(newestFirst)
      for (let offset = 0; offset < rows.length; offset += 7) {
        expect(idsOn({ ...page, offset, limit: 7 })).toEqual(inOrder.slice(offset, offset + 7))
        expect(findPosition(table, rows, table.findRow(inOrder[offset] ?? ''), page)).toBe(offset)
      }
    }))

  test('every term of every query is marked in what it finds', () =>
    expectEvery(SEARCH_QUERIES, JSON.stringify, (q) => {
      const found = new Set(plainSearch(all, q).inOrder)
      const terms = plainTerms(q).map(({ pieces }) => pieces.join(' '))
      const unmarked = all.filter((lead) => found.has(lead.id) && !terms.every((term) => isMarked(lead, term)))
      expect(unmarked).toEqual([])
    }))
})

function isMarked(lead: Lead, query: string): boolean {
  const { texts, phone } = readTexts(lead)
  const inTexts = texts.flatMap((text) => highlightText(text, query))
  return [...inTexts, ...highlightPhone(formatPhone(phone ?? ''), query)].some(({ isMatch }) => isMatch)
}

function readTexts(lead: Lead) {
  const [texts, phone] =
    'sender' in lead
      ? [[lead.sender.email, lead.question], lead.sender.phone]
      : [[lead.user.firstName, lead.user.lastName, lead.user.email], lead.user.phone]
  return { texts: texts.filter((text) => text !== null), phone }
}

function plainSearch(all: readonly Lead[], q: string) {
  const terms = plainTerms(q)
  const find = (isWanted: (text: string, place: number) => boolean) =>
    all.filter((lead) => {
      const searched = searchedTexts.get(lead) ?? spellTexts(lead)
      searchedTexts.set(lead, searched)
      const isFound = (piece: string) =>
        searched.some((text) => findPlaces(text, piece).some((place) => isWanted(text, place)))
      return terms.every(({ digits, pieces }) => (digits !== null && isFound(digits)) || pieces.every(isFound))
    })
  const found = find(() => true)
  const inOrder = new Set([...find(beginsWord), ...found])
  return { inOrder: Array.from(inOrder, ({ id }) => id), newestFirst: found.map(({ id }) => id) }
}

const searchedTexts = new Map<Lead, string[]>()

function spellTexts(lead: Lead): string[] {
  const { texts, phone } = readTexts(lead)
  return [...texts, ...(phone === null ? [] : spellPhone(phone))].map(toLetters)
}

/** All phones here are Swedish but those that begin with +47; what is no number keeps its digits. */
function spellPhone(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '')
  if (phone.startsWith('+47') || digits.length < 8) return [digits]
  const national = digits.replace(/^(?:0046|46)?0?/, '')
  return [`46${national}`, `0${national}`]
}

type Term = { digits: string | null; pieces: string[] }

/** Neighbouring pieces of digits, with what is between them, are one term; other words are one each. */
function plainTerms(q: string): Term[] {
  const groups: string[][] = []
  const isNumber = (word = '') => /^[-\d().+/\u2010-\u2015]+$/.test(word)
  for (const word of toLetters(q).match(/[^ ]+/g) ?? []) {
    if (isNumber(word) && isNumber(groups.at(-1)?.[0])) groups.at(-1)?.push(word)
    else groups.push([word])
  }
  return groups.flatMap((pieces): Term[] => {
    const digits = pieces.join('').replaceAll(/\D/g, '').replace(/^00/, '').replace(/^460/, '46')
    const isPhone = isNumber(pieces[0]) && digits.length >= 2
    return isPhone ? [{ digits, pieces }] : pieces.map((piece) => ({ digits: null, pieces: [piece] }))
  })
}

function findPlaces(text: string, piece: string): number[] {
  return text.split('').flatMap((_, place) => (text.startsWith(piece, place) ? [place] : []))
}

function beginsWord(text: string, place: number): boolean {
  const isInWord = (letter = ' ') => /[a-z0-9]|[^\0-\x7f]/.test(letter)
  return !isInWord(text[place - 1]) || !isInWord(text[place])
}

/** Writes a text in small letters without dots and accents. */
function toLetters(text: string): string {
  const letters = text.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '').replaceAll('\u2011', '\u2010')
  return letters.replaceAll('ø', 'o').replaceAll('ł', 'l').replaceAll(/\s+/g, ' ').trim()
}
