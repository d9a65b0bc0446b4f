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

describe('a list', () => {
  it('may hold a lead whose school is not in the list of schools', async () => {
    const { call, ids } = withFaults({ name: 'orphan-lead' })
    const [first] = (await (await call(questions)).json()).askedQuestions
    expect(first.highSchoolId).toBe('a-school-nobody-knows')
    expect(await ids('/external/highSchools')).not.toContain(first.highSchoolId)
    expect(await ids(declarations)).toHaveLength(4)
  })

  it('may hold one record of wrong types, or without its fields', async () => {
    const wrong = (await (await withFaults({ name: 'wrong-types' }).call(declarations)).json()).declarationsOfInterest
    expect(wrong[0]).toMatchObject({ id: 'd-new', user: 'unexpected', createdAt: { unexpected: expect.any(String) } })
    expect(wrong[1].user.firstName).toBe('Åsa')
    const missing = (await (await withFaults({ name: 'missing-fields' }).call(questions)).json()).askedQuestions
    expect(missing[0]).toStrictEqual({ id: 'q-new' })
    expect(missing).toHaveLength(4)
  })

  it('may hold an id twice, be empty, or shrink', async () => {
    expect(await withFaults({ name: 'duplicate-ids' }).ids()).toEqual(['q-new', 'q-new', 'q-a', 'q-b', 'q-old'])
    expect(await withFaults({ name: 'empty-list' }).ids()).toEqual([])
    expect(await withFaults({ name: 'shrinking-list', keep: 0.5 }).ids()).toEqual(['q-new', 'q-a'])
  })
})

describe('an answer', () => {
  it('may be a forced status, with or without Retry-After', async () => {
    for (const [status, error] of [
      [401, 'Unauthenticated'],
      [403, 'Unauthorized'],
      [429, 'Rate limit exceeded'],
    ] as const) {
      const plain = await withFaults({ name: 'status', status }).call(questions)
      expect([plain.status, await plain.json(), plain.headers.get('retry-after')]).toEqual([status, { error }, null])
      const waiting = await withFaults({ name: 'status', status, retryAfterSeconds: 90 }).call(questions)
      expect(waiting.headers.get('retry-after')).toBe('90')
    }
  })

  it('may be a page of HTML or a redirect to elsewhere', async () => {
    const page = await withFaults({ name: 'html', status: 502 }).call(questions)
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(await page.text()).toContain('<h1>502</h1>')
    const redirect = await withFaults({ name: 'redirect', to: 'https://elsewhere.example.org/x' }).call(questions)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'https://elsewhere.example.org/x'])
  })

  it('may be no JSON, or never end', async () => {
    await expect((await withFaults({ name: 'invalid-json' }).call(questions)).json()).rejects.toThrow(SyntaxError)
    const reader = (await withFaults({ name: 'endless' }).call(questions)).body?.getReader()
    let size = 0
    for (let reads = 0; reads < 100; reads++) size += (await reader?.read())?.value?.length ?? 0
    expect(size).toBeGreaterThan(6_000_000)
    await reader?.cancel()
  })

  it('may come late or drop by drop, and is whole in the end', async () => {
    const whole = await (await createFixture().call(questions)).text()
    const late = withFaults({ name: 'delay', ms: 700 })
    expect(await (await late.call(questions)).text()).toBe(whole)
    expect(late.pauses).toEqual([700])
    const dripping = withFaults({ name: 'drip', ms: 1000 })
    expect(await (await dripping.call(questions)).text()).toBe(whole)
    expect(dripping.pauses).toEqual(Array.from({ length: 20 }, () => 50))
  })

  it('may break off: before it begins, or in the middle', async () => {
    const reset = withFaults({ name: 'reset' })
    await expect(reset.call(questions)).rejects.toThrow('fetch failed')
    expect(reset.service.requests.at(-1)?.status).toBeNull()
    const truncated = await withFaults({ name: 'truncated' }).call(questions)
    expect(truncated.status).toBe(200)
    await expect(truncated.text()).rejects.toThrow('fetch failed')
  })

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
