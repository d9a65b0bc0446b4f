import { describe, expect, it } from 'vitest'
import type { Fault } from './faults'
import { createFixture } from './testing/service-fixture'

const questions = '/external/conversions/askedQuestions'
const declarations = '/external/conversions/declarationsOfInterest'

function withFaults(...faults: Fault[]) {
  const pauses: number[] = []
  const fixture = createFixture({ faults, sleep: async (ms) => void pauses.push(ms) })
  const ids = async (path = questions) => {
    const [list] = Object.values(await (await fixture.call(path)).json()) as [{ id: string }[]]
    return list.map(({ id }) => id)
  }
  return { ...fixture, pauses, ids }
}

describe('an answer', () => {
  it('may never come; then only the caller can end the waiting', async () => {
    const { call } = withFaults({ name: 'hang' })
    const impatience = new AbortController()
    const answer = call(questions, 't-all', { signal: impatience.signal })
    impatience.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  })
})

describe('faults', () => {
  it('may be for one endpoint and for some requests only', async () => {
    const { call } = withFaults({ name: 'html', status: 500, on: 'askedQuestions', times: 2 })
    const statuses: number[] = []
    for (const path of [declarations, questions, questions, questions]) statuses.push((await call(path)).status)
    expect(statuses).toEqual([200, 500, 500, 200])
  })

  it('leave no trace in the answers that are kept, and can be set while it runs', async () => {
    const { ids, service } = withFaults()
    const sound = await ids()
    service.setFaults([{ name: 'empty-list' }, { name: 'delay', ms: 1 }])
    expect(await ids()).toEqual([])
    service.setFaults([])
    expect(await ids()).toEqual(sound)
  })

  it('do not let anybody past the token or the limits, and what they spoil counts as a call', async () => {
    const { call } = createFixture({ limits: { perSecond: 2, perHour: 9 }, faults: [{ name: 'html', status: 502 }] })
    expect((await call(questions, null)).status).toBe(401)
    for (const status of [502, 502, 429]) expect((await call(questions)).status).toBe(status)
  })
})
