import { describe, expect, it } from 'vitest'
import type { Fault } from './faults'
import { createFixture } from './testing/service-fixture'

const questions = '/external/conversions/askedQuestions'
const declarations = '/external/conversions/declarationsOfInterest'

function withFaults(...faults: Fault[]) {
  const pauses: number[] = []
  const fixture = createFixture({ faults, sleep: async (ms) => void pauses.push(ms) })
  const ids = async () => {
    const { askedQuestions } = (await (await fixture.call(questions)).json()) as { askedQuestions: { id: string }[] }
    return askedQuestions.map(({ id }) => id)
  }
  return { ...fixture, pauses, ids }
}

describe('an answer', () => {
  it('may be a forced status', async () => {
    for (const [status, error] of [
      [401, 'Unauthenticated'],
      [403, 'Unauthorized'],
      [429, 'Rate limit exceeded'],
    ] as const) {
      const plain = await withFaults({ name: 'status', status }).call(questions)
      expect([plain.status, await plain.json()]).toEqual([status, { error }])
    }
  })

  it('may be a page of HTML', async () => {
    const page = await withFaults({ name: 'html', status: 502 }).call(questions)
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(await page.text()).toContain('<h1>502</h1>')
  })

  it('may come late, and is whole in the end', async () => {
    const whole = await (await createFixture().call(questions)).text()
    const late = withFaults({ name: 'delay', ms: 700 })
    expect(await (await late.call(questions)).text()).toBe(whole)
    expect(late.pauses).toEqual([700])
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
