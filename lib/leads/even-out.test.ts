import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evenOut, type HeldLead } from './even-out'

const SCHOOLS = ['norra', 'sodra']
const IDS = ['anna', 'bo', 'cia']
const scope = fc.oneof(fc.constant('all' as const), fc.subarray(SCHOOLS))
const everyone = fc.record({ anna: scope, bo: scope, cia: scope })
const lead = fc.record({
  school: fc.constantFrom(...SCHOOLS),
  holder: fc.constantFrom(null, 'gone', ...IDS),
  isFixed: fc.boolean(),
})
type Reach = Record<string, 'all' | string[]>
const peopleOf = (reach: Reach) => Object.entries(reach).map(([id, schools]) => ({ id, schools }))
const mayTake = (reach: Reach, id: string, school: string) =>
  reach[id] === 'all' || reach[id]?.includes(school) === true

/** Who holds each lead in the end. */
function after(leads: readonly HeldLead[], reach: Reach) {
  const moves = new Map(evenOut(leads, peopleOf(reach)).map(({ lead: moved, to }) => [moved, to]))
  return leads.map((one) => moves.get(one) ?? one.holder)
}
/** Less is more even. */
const unevenness = (reach: Reach, holders: readonly (string | null)[]) =>
  Object.keys(reach).reduce((sum, id) => sum + holders.filter((holder) => holder === id).length ** 2, 0)
const moved = (leads: readonly HeldLead[], holders: readonly (string | null)[]) =>
  leads.filter(({ holder }, at) => holders[at] !== holder).length

/** Every way in which each lead that may move has somebody who may take it. */
function allWays(leads: readonly HeldLead[], reach: Reach): (string | null)[][] {
  return leads.reduce<(string | null)[][]>(
    (ways, { school, holder, isFixed }) => {
      const takers = Object.keys(reach).filter((id) => mayTake(reach, id, school))
      const choices = isFixed || takers.length === 0 ? [holder] : takers
      return ways.flatMap((way) => choices.map((choice) => [...way, choice]))
    },
    [[]],
  )
}

test('nobody gets what is out of reach, what is begun stays, and who may take each other’s have as many, or one more', () => {
  fc.assert(
    fc.property(fc.array(lead, { maxLength: 6 }), everyone, (leads, reach) => {
      const holders = after(leads, reach)
      expect(allWays(leads, reach)).toContainEqual(holders)
      const counts = new Map(Object.keys(reach).map((id) => [id, holders.filter((holder) => holder === id).length]))
      const movable = leads.flatMap(({ school, isFixed }, at) => (isFixed ? [] : [{ school, has: holders[at] ?? '' }]))
      const gaps = movable.flatMap(({ school, has }) =>
        Object.keys(reach).flatMap((id) =>
          [id, has].every((one) => mayTake(reach, one, school)) ? (counts.get(has) ?? 0) - (counts.get(id) ?? 0) : [],
        ),
      )
      expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(1)
    }),
  )
})

test('no even way moves fewer leads, where all have the same reach', () => {
  const reach = { anna: 'all', bo: 'all', cia: 'all' } as const
  fc.assert(
    fc.property(fc.array(lead, { maxLength: 6 }), (leads) => {
      const holders = after(leads, reach)
      const even = allWays(leads, reach).filter((way) => unevenness(reach, way) === unevenness(reach, holders))
      expect(moved(leads, holders)).toBe(Math.min(...even.map((way) => moved(leads, way))))
    }),
  )
})

test('who has the most passes on the first of theirs; all end within one of each other', () => {
  const of = (holder: string | null, count: number) =>
    Array.from({ length: count }, () => ({ school: 'norra', holder, isFixed: false }))
  const leads = [...of('anna', 20), ...of('bo', 14), ...of('cia', 14), ...of(null, 1)]
  const moves = evenOut(leads, peopleOf({ anna: 'all', bo: ['norra'], cia: ['norra'] }))
  expect(moves.map(({ lead: one }) => leads.indexOf(one)).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 48])
  expect(after(leads, { anna: 'all', bo: ['norra'], cia: ['norra'] }).filter((id) => id === 'anna')).toHaveLength(17)
})
