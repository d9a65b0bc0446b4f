import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createUpstreamClient, type UpstreamClientOptions } from './client'
import { type Transport, createHttpTransport } from './transport'
import { FAULTS, type Fault } from '@/server/upstream/testing/faults'
import { answerWith, faultyServices, startFaultyService } from '@/server/upstream/testing/faulty-service'
import { freeBudget } from '@/server/upstream/testing/budget-doubles'

const TOKEN = 'a-token-that-must-not-get-out'

const start = faultyServices()

function clientOf(baseUrl: string, options: Partial<UpstreamClientOptions> = {}) {
  const budget = freeBudget()
  const clock = { now: Date.now }
  const parts = { token: TOKEN, transport: createHttpTransport(), budget, clock, maxBytes: 1_000_000 }
  const client = createUpstreamClient({ baseUrl, ...parts, ...options })
  return { client, budget }
}

describe('a service that', () => {
  test.each(FAULTS)('$name is told by $kind', async ({ answer, kind, detail, timeouts = {} }) => {
    const service = await start(answer)
    const { client } = clientOf(service.url, { timeouts })
    expect(await client.fetchList('asked-questions')).toEqual({ ok: false, kind, detail })
    expect(service.requests).toHaveLength(1)
  })

  test('never ends is hung up on', { timeout: 5_000 }, async () => {
    const hungUp = Promise.withResolvers<void>()
    const endless = FAULTS.filter(({ name }) => name === 'never stops sending')
    for (const { answer } of endless) {
      const service = await start((response) => {
        response.on('close', hungUp.resolve)
        answer(response)
      })
      await clientOf(service.url).client.fetchList('asked-questions')
    }
    await hungUp.promise
    expect(endless).toHaveLength(1)
  })

  test('is not there is unavailable', async () => {
    const service = await startFaultyService(() => {})
    await service.stop()
    const { client } = clientOf(service.url)
    const detail = 'the connection failed (ECONNREFUSED)'
    expect(await client.fetchList('high-schools')).toEqual({ ok: false, kind: 'unavailable', detail })
  })

  test('sends us elsewhere gets no further: the other origin sees nothing', async () => {
    const elsewhere = await start(answerWith({ body: '{"askedQuestions":[]}' }))
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await start(
        answerWith({ status, headers: { location: `${elsewhere.url}/external/highSchools` } }),
      )
      const detail = `a redirect (status ${status}), which is not followed`
      expect(await clientOf(service.url).client.fetchList('high-schools')).toEqual({
        ok: false,
        kind: 'unreadable',
        detail,
      })
    }
    expect(elsewhere.requests).toEqual([])
  })
})

describe('the token', () => {
  const echo = answerWith({
    status: 500,
    headers: { 'x-echo': TOKEN, 'retry-after': TOKEN, etag: TOKEN, date: TOKEN },
    body: JSON.stringify({ error: TOKEN }),
  })
  const badType = answerWith({ headers: { 'content-type': `text/${TOKEN}`, 'content-encoding': TOKEN }, body: TOKEN })
  const redirect = answerWith({ status: 302, headers: { location: `/?token=${TOKEN}` }, body: TOKEN })

  test('is in no outcome, however the service fails or repeats it', async () => {
    for (const { answer, timeouts = {} } of [
      ...FAULTS,
      { answer: echo },
      { answer: badType },
      { answer: redirect },
    ] satisfies Pick<Fault, 'answer' | 'timeouts'>[]) {
      const { client } = clientOf((await start(answer)).url, { timeouts })
      for (const outcome of [await client.fetchList('asked-questions'), await client.fetchHighSchool('a')]) {
        expect(outcome.ok).toBe(false)
        expect(inspect(outcome, { depth: 9, showHidden: true })).not.toContain(TOKEN)
      }
    }
  })

  test('is in no outcome when the transport throws it, or cannot send it', async () => {
    const failing: Transport[] = [
      () =>
        Promise.reject(
          Object.assign(new Error(`refused ${TOKEN}`, { cause: new Error(TOKEN) }), { code: `X ${TOKEN}` }),
        ),
      () => {
        throw new TypeError(TOKEN)
      },
    ]
    for (const transport of failing) {
      const outcome = await clientOf('http://127.0.0.1', { transport }).client.fetchList('high-schools')
      expect(outcome).toEqual({ ok: false, kind: 'unavailable', detail: 'the connection failed (unknown reason)' })
    }
    const unsendable = clientOf('http://127.0.0.1:9', { token: `${TOKEN}\n` }).client
    expect(await unsendable.fetchList('high-schools')).toEqual({
      ok: false,
      kind: 'unavailable',
      detail: 'the connection failed (ERR_INVALID_CHAR)',
    })
  })
})

describe('the place in the budget', () => {
  test.each(FAULTS)('is given back once when the service $name', async ({ answer, timeouts = {} }) => {
    const { client, budget } = clientOf((await start(answer)).url, { timeouts })
    await client.fetchList('asked-questions')
    expect(budget.log).toHaveLength(budget.log.some((entry) => entry.startsWith('back off')) ? 3 : 2)
    expect(budget.log.at(0)).toBe('list')
    expect(budget.log.at(-1)).toMatch(/^(whole|abandoned)$/)
  })

  test('counts as free early only when the answer ended', async () => {
    const quiet = clientOf((await start(() => {})).url, { timeouts: { headersMs: 50 } })
    await quiet.client.fetchList('asked-questions')
    const refusing = clientOf((await start(answerWith({ status: 503, body: '{"error":"x"}' }))).url)
    await refusing.client.fetchHighSchool('a')
    expect([quiet.budget.log, refusing.budget.log]).toEqual([
      ['list', 'abandoned'],
      ['lookup', 'whole'],
    ])
  })
})
