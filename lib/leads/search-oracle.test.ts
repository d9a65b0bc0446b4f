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

/*
 * What a search finds, and in what order, written down a second time in the plainest way: letter by letter, over the leads as
 * the service sends them, without tables, folded texts or marks. It must agree with the real one for every query below.
 */
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
      const terms = plainTerms(q).map(({ pieces }) => pieces.map(written).join(' '))
      const unmarked = all.filter((lead) => found.has(lead.id) && !terms.every((term) => isMarked(lead, term)))
      expect(unmarked).toEqual([])
    }))
})

function isMarked(lead: Lead, query: string): boolean {
  const inTexts = textsOf(lead).flatMap((text) => highlightText(text, query))
  const inPhone = highlightPhone(formatPhone(phoneOf(lead) ?? ''), query)
  return [...inTexts, ...inPhone].some(({ isMatch: match }) => match)
}

function textsOf(lead: Lead): string[] {
  const texts =
    'sender' in lead ? [lead.sender.email, lead.question] : [lead.user.firstName, lead.user.lastName, lead.user.email]
  return texts.filter((text) => text !== null)
}

function phoneOf(lead: Lead): string | null {
  return 'sender' in lead ? lead.sender.phone : lead.user.phone
}

/** A letter without its accents, and the Swedish letter that it was, if it was one. */
type Letter = { plain: string; swedish: 'å' | 'ä' | 'ö' | null }

function plainSearch(all: readonly Lead[], q: string) {
  const terms = plainTerms(q)
  const isMetIn = (lead: Lead, isGood: At) => terms.every((term) => isMet(term, searchedTexts(lead), isGood))
  const found = all.filter((lead) => isMetIn(lead, () => true))
  const begun = new Set(found.filter((lead) => isMetIn(lead, beginsWord)))
  const ids = (some: Iterable<Lead>) => Array.from(some, ({ id }) => id)
  return { inOrder: ids(new Set([...begun, ...found])), newestFirst: ids(found) }
}

/** The texts of a lead, and its phone as digits, international and national. */
function searchedTexts(lead: Lead): Letter[][] {
  const phone = phoneOf(lead)
  return [...textsOf(lead), ...(phone === null ? [] : phoneSpellings(phone))].map(lettersOf)
}

/** All phones here are Swedish but those that begin with +47; what is no number keeps its digits. */
function phoneSpellings(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '')
  if (phone.startsWith('+47') || digits.length < 8) return [digits]
  const national = digits.replace(/^(?:0046|46)?0?/, '')
  return [`46${national}`, `0${national}`]
}

type Term = { digits: string | null; pieces: Letter[][] }

/** Words; but neighbouring pieces of digits, with what is between them, are one term. */
function plainTerms(q: string): Term[] {
  const terms: Term[] = []
  let number: string[] = []
  const close = () => {
    if (number.length > 0) terms.push(...numberTerms(number))
    number = []
  }
  for (const word of written(lettersOf(q)).match(/[^ ]+/g) ?? []) {
    if (/^[-\d().+/\u2010-\u2015]+$/.test(word)) number.push(word)
    else {
      close()
      terms.push({ digits: null, pieces: [lettersOf(word)] })
    }
  }
  close()
  return terms
}

function numberTerms(words: readonly string[]): Term[] {
  const digits = words.join('').replaceAll(/\D/g, '').replace(/^00/, '').replace(/^460/, '46')
  const pieces = words.map(lettersOf)
  return digits.length < 2 ? pieces.map((piece) => ({ digits: null, pieces: [piece] })) : [{ digits, pieces }]
}

type At = (text: readonly Letter[], place: number) => boolean

function isMet({ digits, pieces }: Term, texts: readonly Letter[][], isGood: At): boolean {
  const isIn = (piece: readonly Letter[]) =>
    texts.some((text) => text.some((__, at) => stands(text, at, piece) && isGood(text, at)))
  return (digits !== null && isIn(lettersOf(digits))) || pieces.every(isIn)
}

function stands(text: readonly Letter[], at: number, piece: readonly Letter[]): boolean {
  return piece.every(({ plain: letter, swedish }, offset) => {
    const there = text[at + offset]
    return there !== undefined && there.plain === letter && (swedish === null || there.swedish === swedish)
  })
}

const beginsWord: At = (text, place) => {
  const isWord = (letter: Letter | undefined) => letter !== undefined && /[a-z0-9]/.test(letter.plain)
  return !(isWord(text[place - 1]) && isWord(text[place]))
}

const SPECIAL: Record<string, string> = { ø: 'o', ł: 'l' }

/** Letter by letter, each with the accents that follow it in the decomposed text. */
function lettersOf(text: string): Letter[] {
  const letters: Letter[] = []
  const plain = text.normalize('NFD').toLowerCase().replaceAll('\u2011', '\u2010').replaceAll(/\s+/g, ' ').trim()
  for (const character of plain) {
    const last = letters.at(-1)
    if (!/\p{M}/u.test(character)) letters.push({ plain: SPECIAL[character] ?? character, swedish: null })
    else if (last?.plain === 'a' && last.swedish === null && character === '\u030a') last.swedish = 'å'
    else if (last?.plain === 'a' && last.swedish === null && character === '\u0308') last.swedish = 'ä'
    else if (last?.plain === 'o' && last.swedish === null && character === '\u0308') last.swedish = 'ö'
  }
  return letters
}

function written(letters: readonly Letter[]): string {
  return letters
    .map(({ plain, swedish }) => swedish ?? plain)
    .join('')
    .trim()
}
