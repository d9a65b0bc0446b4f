import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createListBodies } from './list-bodies'
import type { AskedQuestion } from './specification'
import { createStore } from './store'
import { fixtureData, fixtureTokens } from './testing/service-fixture'
import { listWithin } from './tokens'

describe('the bodies of lists', () => {
  const store = () => createStore(fixtureData, fixtureTokens)
  const sample = store().current().askedQuestions[0]

  it('an answer is written once for as long as its list stays as it is', () => {
    const [bodyOf, { current }] = [createListBodies(), store()]
    const body = bodyOf(current(), 'askedQuestions', 'all')
    expect(bodyOf(current(), 'askedQuestions', 'all')).toBe(body)
    expect(bodyOf(current(), 'askedQuestions', ['alm'])).not.toBe(body)
  })

  it('wherever leads come in or go, the answer is that of the whole list written anew', () => {
    const lead = fc.record({
      id: fc.string({ unit: 'binary', minLength: 1 }),
      highSchoolId: fc.constantFrom('alm', 'ang', 'oster'),
      day: fc.integer({ min: 1, max: 28 }),
      asked: fc.integer({ min: 0, max: 2 }),
    })
    fc.assert(
      fc.property(fc.array(lead, { maxLength: 12 }), fc.boolean(), (leads, startEmpty) => {
        const [bodyOf, data] = [createListBodies(), store()]
        if (startEmpty) data.replace({ ...fixtureData, askedQuestions: [] }, fixtureTokens)
        for (const { id, highSchoolId, day, asked } of leads) {
          const createdAt = new Date(Date.UTC(2026, 1, day)).toISOString()
          data.addAskedQuestion({ ...(sample as AskedQuestion), id, highSchoolId, createdAt })
          for (const scope of ['all', ['alm', 'ang'], []].slice(0, asked + 1) as ('all' | string[])[]) {
            const written = new TextDecoder().decode(bodyOf(data.current(), 'askedQuestions', scope).bytes)
            expect(written).toBe(
              JSON.stringify({ askedQuestions: listWithin(data.current(), 'askedQuestions', scope) }),
            )
          }
        }
      }),
    )
  })
})
