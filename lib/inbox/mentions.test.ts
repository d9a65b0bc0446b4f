import { describe, expect, test } from 'vitest'
import { findMentions, findTypedMention } from './mentions'

const names = ['Anna Lund', 'Anna Lundgren', 'Åsa Öberg', 'Bo']
const namesIn = (text: string) => findMentions(text, names).map(({ name }) => name)

describe('whom a text names', () => {
  test('by whole names, the longest that fits, however they are written', () => {
    expect(namesIn('@Anna Lund, kan du ringa? @åsa öberg vet mer.')).toEqual(['Anna Lund', 'Åsa Öberg'])
    expect(namesIn('Fråga @Anna Lundgren')).toEqual(['Anna Lundgren'])
    expect(namesIn('(@BO)')).toEqual(['Bo'])
  })

  test('not by parts of names, nor in an address', () => {
    expect(namesIn('@Anna @Anna Lundqvist @Bosse mejla@bo.se')).toEqual([])
  })

  test('of two that are written alike but for capitals the first, and of none without a name', () => {
    expect(findMentions('@bo @', ['Bo', 'BO', '']).map(({ name }) => name)).toEqual(['Bo'])
  })

  test('tells where', () => {
    expect(findMentions('Hej @Bo!', names)).toEqual([{ start: 4, end: 7, name: 'Bo' }])
  })
})

describe('what is being written', () => {
  const at = (text: string) => findTypedMention(text, text.length)
  test('begins with an @ and goes on over a first name and a space', () => {
    expect(at('Hej @')).toEqual({ start: 4, typed: '' })
    expect(at('@Anna L')).toEqual({ start: 0, typed: 'Anna L' })
    expect(findTypedMention('@An och mer', 3)).toEqual({ start: 0, typed: 'An' })
  })

  test('is nothing in an address, after the end of a sentence, or on the next line', () => {
    expect(at('asa@example')).toBeNull()
    expect(at('@Anna. Ring')).toBeNull()
    expect(at('@Anna\nRing')).toBeNull()
    expect(at('Ring hem')).toBeNull()
    expect(findTypedMention('@An', 0), 'before the @').toBeNull()
  })
})
