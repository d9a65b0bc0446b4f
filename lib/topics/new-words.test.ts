import { describe, expect, it } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { MIN_PEOPLE, newWords, type NewWordsQuery, type Written, writtenWords } from './new-words'

const [NOW, BEFORE] = [1_000, 950]
const query: NewWordsQuery = { from: 993, to: 1_020, isTopical: () => false, isName: () => false }

const by = (person: number, text: string, day = NOW, email: string | null = null): Written => ({
  words: writtenWords(question('q', { text, email })),
  day,
  person,
})
/** So many people ask about anything before and now, and so many of them now in this text. */
function season(people: number, text: string, more: readonly Written[] = []): Written[] {
  const usual = Array.from({ length: 200 }, (_, person) => by(person, 'hur mycket kostar maten', BEFORE))
  const now = Array.from({ length: 70 }, (_, person) => by(500 + person, 'hur mycket kostar maten'))
  return [...usual, ...now, ...Array.from({ length: people }, (_, person) => by(800 + person, text)), ...more]
}
const words = (questions: readonly Written[], change: Partial<NewWordsQuery> = {}) =>
  newWords(questions, { ...query, ...change })

describe('a new word', () => {
  it('is one that many people suddenly write, in whatever form, by the most used', () => {
    const forms = [
      ...season(9, 'finns kajaken i sommar'),
      ...Array.from({ length: 8 }, (_, at) => by(900 + at, 'många kajaker')),
    ]
    const found = words(forms)
    expect(found[0]).toEqual({ word: 'kajaken', people: 17 })
  })

  it('needs ten people, however often one writes it', () => {
    const few = season(MIN_PEOPLE - 1, 'studentrum')
    const often = Array.from({ length: 50 }, () => by(800, 'studentrum'))
    expect(words([...few, ...often])).toEqual([])
    expect(words(season(MIN_PEOPLE, 'studentrum'))).toEqual([{ word: 'studentrum', people: MIN_PEOPLE }])
  })

  it('is not as frequent before', () => {
    const before = Array.from({ length: 30 }, (_, person) => by(person, 'studentrum', BEFORE))
    expect(words(season(15, 'studentrum', before))).toEqual([])
  })

  it('is of the four weeks alone, and at most five are shown', () => {
    expect(words(season(15, 'studentrum'), { from: 1_001 })).toEqual([])
    expect(words(season(15, 'studentrum'), { to: 999 })).toEqual([])
    expect(words(season(15, 'cykelrum bowling kajak teater robotar klättring'))).toHaveLength(5)
  })

  it('is of no topic', () => {
    expect(words(season(15, 'studentrum'), { isTopical: (word) => word === 'studentrum' })).toEqual([])
  })
})

describe('a word that could say who somebody is is never shown', () => {
  const NAME = 'berghild'
  it.each([
    ['a name that one of them writes with a capital', 'jag söker för berghild', NAME, [by(1, 'Hej, jag är Berghild')]],
    ['even long before, in another form', 'hej berghilds', NAME, [by(1, 'Fröken Berghild svarade', 400)]],
    ['a name in a sender’s address', 'hej berghild', NAME, [by(1, 'Hej', NOW, 'berghild.svensson@example.se')]],
    ['an address', 'skriv till berghild@example.se', NAME, []],
    ['a link', 'se https://berghild.example/sida', NAME, []],
    ['a number', 'ring 0701740606 eller 070-174', '0', []],
    ['an id', 'ärende abcdef12345678', 'abc', []],
    ['other letters', 'привет', 'п', []],
    ['a name with an accent', 'fråga andré', 'andr', []],
    ['a short word', 'bo på ön', 'ön', []],
    ['a word of every text', 'även november', 'ven', []],
  ])('%s', (_, text, never, others) => {
    const shown = words(season(40, text, others)).filter(({ word }) => word.includes(never))
    expect(shown).toEqual([])
  })

  it('and one that is in the names of declarations or schools', () => {
    expect(words(season(40, 'berghild'), { isName: (word) => word === 'berghild' })).toEqual([])
  })

  it('reads no word of numbers, addresses, signs or other letters', () => {
    const read = (text: string) => writtenWords(question('q', { text, email: 'kim.ek@example.se' }))
    const found = read('ring 0701 abc123 a@b.se www.sida.se snabel_a åäö привет Stockholm.')
    expect(found).toEqual(['ring', '^stockholm', '^kim', '^ek', '^example', '^se'])
  })

  it('a capital begins a sentence as well, which makes no name', () => {
    expect(writtenWords(question('q', { text: 'Kajaker! Hyr ni?\nKajaker: ja. Segelbåtar', email: null }))).toEqual([
      'kajaker',
      'segelbåtar',
    ])
  })
})
