import { describe, expect, it } from 'vitest'
import { workSettingsChangeSchema } from '@/lib/contract/settings'
import { quality } from '@/scripts/bench/topics'
import topics from './default-topics.json'
import { createTopicFinder } from './topics'

const finder = createTopicFinder([
  { id: 'travel', words: ['buss', 'tåg'] },
  { id: 'visit', words: ['öppna hus', 'öppet hus', 'visit'] },
  { id: 'practice', words: ['apl'] },
])
const [TRAVEL, VISIT, PRACTICE] = [1, 2, 4]

describe('the topics of a text', () => {
  it.each([
    ['a word in any form', 'Går bussen dit, och BUSSARNA hem?', TRAVEL],
    ['the ends of compounds', 'skolbussar och busskort', TRAVEL],
    ['no end of a short word', 'Han stapla klossar och stod i ett ståtåg', 0],
    ['words in a row', 'När är era öppna hus?', VISIT],
    ['not apart', 'Är det öppet i ert hus?', 0],
    ['English forms', 'We are visiting in May', VISIT],
    ['several', 'APL: buss dit?', TRAVEL | PRACTICE],
    ['decomposed letters', 'O\u0308ppet hus'.normalize('NFD'), VISIT],
    ['none of nothing', '', 0],
  ])('are found by %s', (_, text, bits) => expect(finder.topicsOf(text)).toBe(bits))

  it('hold whatever was met before', () => {
    const fresh = createTopicFinder(topics)
    const texts = ['Får man busskort?', 'När är öppet hus?', 'Hur är maten?', 'Får man busskort?']
    expect(texts.map(fresh.topicsOf)).toEqual(texts.map((text) => createTopicFinder(topics).topicsOf(text)))
  })

  it('know their own words', () => {
    expect(['bussen', 'hus', 'öppna', 'rektor'].map(finder.isTopical)).toEqual([true, true, true, false])
  })

  it('are right in nine of ten cases, and four of five are found, in questions that know theirs', () => {
    const all = quality().at(-1)
    expect(all?.precision).toBeGreaterThanOrEqual(0.9)
    expect(all?.recall).toBeGreaterThanOrEqual(0.8)
  })
})

describe('the list of topics', () => {
  const [first] = topics
  const isTaken = (list: unknown) => workSettingsChangeSchema.safeParse({ topics: list }).success
  const words = (...list: string[]) => isTaken([{ ...first, words: list }])

  it('is of few topics with a name and words, no two of one id', () => {
    expect(isTaken(topics)).toBe(true)
    expect(isTaken([])).toBe(true)
    expect(isTaken([first, first])).toBe(false)
    expect(isTaken([{ ...first, id: 'none' }])).toBe(false)
    expect(isTaken(Array.from({ length: 21 }, (_, at) => ({ ...first, id: `topic${at}` })))).toBe(false)
    expect(words()).toBe(false)
    expect(words(...Array.from({ length: 121 }, (_, at) => `ord${at}`))).toBe(false)
  })

  it.each(['buss', 'öppet hus', 'el och energi', 'i en klass', 'e-sport'])('has the word %s', (word) => {
    expect(words(word)).toBe(true)
  })

  it.each([
    'När är det öppet hus',
    'buss?',
    'a@b.se',
    'https://intag.se',
    'Jag bor i Almviken nu',
    '0701740606',
    'x',
    'å'.repeat(41),
    '',
  ])('has no sentence, address or number: %s', (word) => expect(words(word)).toBe(false))
})
