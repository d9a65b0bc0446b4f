import { describe, expect, it } from 'vitest'
import questionsByTopic from './testing/labelled-questions.json' with { type: 'json' }
import { TOPICS } from './topic-list'
import { createDefaultFinder, createTopicFinder } from './topics'

const topicsOf = createTopicFinder([['buss', 'tåg'], ['öppna hus', 'öppet hus', 'visit'], ['apl']])
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
  ])('are found by %s', (_, text, bits) => expect(topicsOf(text)).toBe(bits))

  it('are right in nine of ten questions, and four of five are found, with the words of Intag', () => {
    const findTopics = createDefaultFinder()
    let [right, found, labelled] = [0, 0, 0]
    for (const [topic, questions] of Object.entries(questionsByTopic))
      for (const question of questions) {
        const bits = findTopics(question)
        const names = TOPICS.filter((_, bit) => (bits >> bit) & 1).map(({ id }) => String(id))
        right += names.includes(topic) ? 1 : 0
        found += names.length
        labelled += topic === '' ? 0 : 1
      }
    expect(right / found).toBeGreaterThanOrEqual(0.9)
    expect(right / labelled).toBeGreaterThanOrEqual(0.8)
  })
})
