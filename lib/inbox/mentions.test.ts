import { expect, test } from 'vitest'
import { findMentions, findTypedMention, splitAtMentions } from './mentions'

const names = ['Anna Lund', 'Anna Lundgren', 'Åsa Öberg', 'Bo']

test.each([
  ['@Anna Lund, kan du ringa? @åsa öberg vet mer.', ['Anna Lund', 'Åsa Öberg']],
  ['Fråga @Anna Lundgren (@BO)', ['Anna Lundgren', 'Bo']],
  ['@Anna @Anna Lundqvist @Bosse mejla@bo.se', []],
])('%j names %j', (text, mentioned) => {
  expect(findMentions(text, names).map(({ name }) => name)).toEqual(mentioned)
})

test('a note is split at its mentions, without empty parts', () => {
  const texts = splitAtMentions('@Bo och @Anna Lund!', names).map(({ text, isMatch }) => [text, isMatch])
  expect(texts).toEqual(Object.entries({ '@Bo': true, ' och ': false, '@Anna Lund': true, '!': false }))
})

/** A bar stands for the caret. */
test.each([
  ['Hej @|', { start: 4, typed: '' }],
  ['@Anna L|', { start: 0, typed: 'Anna L' }],
  ['@An| och mer', { start: 0, typed: 'An' }],
  ['asa@example|', null],
  ['@Anna. Ring|', null],
  ['@Anna\nRing|', null],
  ['Ring hem|', null],
  ['|@An', null],
])('in %j the mention that is being typed is %j', (text, mention) => {
  expect(findTypedMention(text.replace('|', ''), text.indexOf('|'))).toEqual(mention)
})
