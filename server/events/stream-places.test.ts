import { expect, test } from 'vitest'
import { NotReadyError } from '@/server/errors'
import { createStreamPlaces } from './stream-places'

/** Opens streams that end when they are told to, and says which are open. */
function openStreams(options: Parameters<typeof createStreamPlaces>[0] = {}) {
  const places = createStreamPlaces(options)
  const ends = new Map<string, () => void>()
  const end = (name: string) => {
    ends.get(name)?.()
    ends.delete(name)
  }
  const begin = (person: string, name: string) =>
    ends.set(
      name,
      places.take(person, () => end(name)),
    )
  return { places, begin, end, open: () => [...ends.keys()] }
}

test('the twenty-first stream of a person takes the place of their oldest, and of nobody else’s', () => {
  const { places, begin, open } = openStreams()
  begin('nils', 'n')
  for (let tab = 1; tab <= 25; tab += 1) begin('sara', `s${tab}`)
  expect(open()).toEqual(['n', ...Array.from({ length: 20 }, (_, at) => `s${at + 6}`)])
  expect(places.open()).toBe(21)
})

test('six hundred at once stay twenty', () => {
  const { places, begin } = openStreams()
  for (let tab = 1; tab <= 600; tab += 1) begin('sara', `s${tab}`)
  expect(places.open()).toBe(20)
})

test('what was closed leaves its place to the next', () => {
  const { begin, end, open } = openStreams({ mostPerPerson: 2 })
  begin('sara', 'a')
  begin('sara', 'b')
  end('a')
  end('a')
  begin('sara', 'c')
  expect(open()).toEqual(['b', 'c'])
})

test('beyond what an instance holds the newest is told when to come back', () => {
  const { places, begin, end } = openStreams({ most: 2, random: () => 0.5 })
  begin('a', '1')
  begin('b', '2')
  expect(() => places.requireRoom()).toThrow(new NotReadyError('Too many live streams', 17))
  end('1')
  expect(() => places.requireRoom()).not.toThrow()
})
