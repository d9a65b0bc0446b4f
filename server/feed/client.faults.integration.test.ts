import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { inspect } from 'node:util'
import { createGzip, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ProblemKind } from '@/lib/contract/feed-status'
import type { RequestLimits } from './client'
import { createAnswer, createServiceStarter, createTestClient } from './testing/faulty-service'

const TOKEN = 'a-token-that-must-not-get-out'

type Answer = (response: ServerResponse) => void
/** Time limits are short only where waiting is the point: a busy machine must not look like a fault. */
type Fault = [name: string, kind: ProblemKind | 'not-found', detail: string, Answer, Partial<RequestLimits>?]

const JSON_TYPE = { 'content-type': 'application/json' }
const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const NO_STATUS = 'HTTP/1.1 999 None\r\n\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
const LIST = JSON.stringify({ askedQuestions: Array.from({ length: 2_000 }, (_, id) => ({ id })) })
const packed = (body: string | Uint8Array) => createAnswer({ headers: { 'content-encoding': 'gzip' }, body })
const RESET = 'the connection failed (ECONNRESET)'
const CUT = 'the connection failed (Z_BUF_ERROR)'
const TOO_LARGE = 'an answer larger than 1000000 bytes'

/** What a service can do wrong, and what it must come to. At most 1 MB is read. */
const FAULTS: Fault[] = [
  ['resets the connection before any answer', 'unavailable', RESET, ({ socket }) => socket?.resetAndDestroy()],
  ['ends before the announced length', 'unavailable', RESET, raw(`${JSON_HEAD}content-length: 5000\r\n\r\n{"a":[`)],
  ['ends between two chunks', 'unavailable', RESET, raw(`${JSON_HEAD}${CHUNKED}5\r\n{"ask\r\n`)],
  ['cuts its gzip short', 'unavailable', CUT, packed(gzipSync(LIST).subarray(0, 500))],
  ['calls gzip what is none', 'unreadable', 'a broken answer (Z_DATA_ERROR)', packed(LIST)],
  ['speaks no HTTP', 'unreadable', 'a broken answer (HPE_INVALID_CONSTANT)', raw('hello\r\n\r\n')],
  [
    'is behind a failing proxy',
    'unavailable',
    'status 502',
    createAnswer({ status: 502, body: '<html>Bad gateway</html>' }),
  ],
  ['never stops sending', 'unreadable', TOO_LARGE, sendForEver()],
  ['sends a gzip bomb', 'unreadable', TOO_LARGE, sendGzipBomb],
  ['never answers', 'unavailable', 'no answer within 500 ms', () => {}, { idleMs: 500 }],
  ['stops midway', 'unavailable', 'no further part of the answer within 500 ms', begin('{"a":['), { idleMs: 500 }],
  ['drips', 'unavailable', 'no whole answer within 100 ms', drip, { overallMs: 100 }],
  ['never ends the body of an error', 'unavailable', 'status 500', sendForEver(500)],
  ['has no status of HTTP', 'unavailable', 'the connection failed (unknown reason)', raw(NO_STATUS)],
  ['answers 204', 'unreadable', 'status 204', createAnswer({ status: 204 })],
  ['answers 304', 'unreadable', 'status 304', createAnswer({ status: 304 })],
  ['answers 404', 'not-found', 'status 404', createAnswer({ status: 404 })],
  ['answers 401', 'unauthenticated', 'status 401', createAnswer({ status: 401 })],
  ['answers 403', 'unauthorized', 'status 403', createAnswer({ status: 403 })],
  ['answers 429', 'rate-limited', 'status 429', createAnswer({ status: 429 })],
]

const start = createServiceStarter()

describe('a service that', () => {
  test.each(FAULTS)('%s is reported as %s, %s', async (_, kind, detail, answer, limits = {}) => {
    const service = await start(answer)
    const { client, budget } = createTestClient(service.url, { limits: { maxBytes: 1_000_000, ...limits } })
    expect(await client.fetchList('asked-questions')).toEqual({ ok: false, kind, detail })
    expect(service.requests).toHaveLength(1)
    expect(budget.log.join()).toMatch(/^list,(back off for \d+ ms,)?(complete|abandoned)$/)
  })

  test.each<[string, Answer]>([
    ['never ends', sendForEver()],
    ['has no status of HTTP', ({ socket }) => void socket?.write(NO_STATUS)],
  ])('%s is hung up on', { timeout: 5_000 }, async (_, answer) => {
    const hungUp = Promise.withResolvers<void>()
    const service = await start((response) => {
      response.on('close', hungUp.resolve)
      answer(response)
    })
    await createTestClient(service.url, { limits: { maxBytes: 1_000_000 } }).client.fetchList('asked-questions')
    await expect(hungUp.promise).resolves.toBeUndefined()
  })

  test('is not there is unavailable', async () => {
    const service = await start(() => {})
    await service.stop()
    const outcome = { ok: false, kind: 'unavailable', detail: 'the connection failed (ECONNREFUSED)' }
    expect(await createTestClient(service.url).client.fetchList('high-schools')).toEqual(outcome)
  })

  test('sends us elsewhere gets no further: the other origin sees nothing', async () => {
    const elsewhere = await start(createAnswer({ body: '{"askedQuestions":[]}' }))
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await start(createAnswer({ status, headers: { location: `${elsewhere.url}/external` } }))
      const outcome = { ok: false, kind: 'unreadable', detail: `a redirect (status ${status}), which is not followed` }
      expect(await createTestClient(service.url).client.fetchList('high-schools')).toEqual(outcome)
    }
    expect(elsewhere.requests).toEqual([])
  })
})

describe('the token', () => {
  const headers = { 'x-echo': TOKEN, 'retry-after': TOKEN, etag: TOKEN, date: TOKEN }
  test.each([
    ['an error', { status: 500, headers, body: JSON.stringify({ error: TOKEN }) }],
    ['a redirect', { status: 302, headers: { location: `/?token=${TOKEN}` }, body: TOKEN }],
  ])('is in no outcome of a service that repeats it in %s', async (_, answer) => {
    const { client } = createTestClient((await start(createAnswer(answer))).url, { token: TOKEN })
    for (const outcome of [await client.fetchList('asked-questions'), await client.fetchHighSchool('a')]) {
      expect(outcome.ok).toBe(false)
      expect(inspect(outcome, { depth: 9, showHidden: true })).not.toContain(TOKEN)
    }
  })

  test('is in no outcome when the transport throws it, or cannot send it', async () => {
    const refused = Object.assign(new Error(`refused ${TOKEN}`, { cause: new Error(TOKEN) }), { code: `X ${TOKEN}` })
    const fetchWith = (options: object) =>
      createTestClient('http://127.0.0.1:9', options).client.fetchList('high-schools')
    const failed = (reason: string) => ({ ok: false, kind: 'unavailable', detail: `the connection failed (${reason})` })
    expect(await fetchWith({ transport: () => Promise.reject(refused) })).toEqual(failed('unknown reason'))
    expect(await fetchWith({ token: `${TOKEN}\n` })).toEqual(failed('ERR_INVALID_CHAR'))
  })
})

test('a place in the budget counts as free early only when the answer ended', async () => {
  const quiet = createTestClient((await start(() => {})).url, { limits: { idleMs: 50 } })
  await quiet.client.fetchList('asked-questions')
  const refusing = createTestClient((await start(createAnswer({ status: 503, body: '{"error":"x"}' }))).url)
  await refusing.client.fetchHighSchool('a')
  expect([quiet.budget.log, refusing.budget.log]).toEqual([
    ['list', 'abandoned'],
    ['lookup', 'complete'],
  ])
})

function begin(text: string): Answer {
  return (response) => void response.writeHead(200, JSON_TYPE).write(text)
}

function drip(response: ServerResponse): void {
  begin(' ')(response)
  const drops = setInterval(() => response.write(' '), 15)
  response.on('close', () => clearInterval(drops))
}

function raw(bytes: string): Answer {
  return (response) => void response.socket?.end(bytes)
}

function sendForEver(status = 200): Answer {
  return (response) => void pipeline(endless(), response.writeHead(status, JSON_TYPE), () => {})
}

function sendGzipBomb(response: ServerResponse): void {
  pipeline(endless(), createGzip(), response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }), () => {})
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536, 32)
}
