import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NewUser } from '@/lib/contract/user'
import { type Added, addPeople } from './add-people'

const person = (at: number): NewUser => ({ name: `P${at}`, email: `p${at}@x.se`, role: 'staff', schools: 'all' })
const made = (outcome?: string) =>
  Response.json({ id: '1', inviteUrl: '#1', ...(outcome && { mail: { outcome, detail: '' } }) })
const refused = (status: number, headers = {}) => Response.json({ error: '' }, { status, headers })
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  fetched.mockReset()
})
const run = async (
  answers: (Response | Error)[],
  mail: 'sv' | undefined = undefined,
  signal = new AbortController().signal,
) => {
  for (const answer of answers)
    fetched.mockImplementationOnce(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)))
  const added: [string, Added][] = []
  const people = answers.map((_, at) => person(at + 2))
  const done = addPeople(people, { mail, signal, onAdded: (email, one) => added.push([email, one]) })
  await vi.runAllTimersAsync()
  await done
  return added.map(([email, one]) => [Number(email[1]), one.kind === 'failed' ? one.why : one.kind])
}

test('each row has its own result, and one that fails stops no other', async () => {
  expect(await run([made(), refused(409), refused(400), refused(500), made()])).toEqual([
    [2, 'made'],
    [3, 'emailTaken'],
    [4, 'emailWrong'],
    [5, 'saveFailed'],
    [6, 'made'],
  ])
  expect(fetched.mock.calls.map(([, { method }]) => method)).toEqual(Array.from({ length: 5 }, () => 'POST'))
})

test.each([
  [refused(403), 'notAllowed'],
  [refused(401), 'saveFailed'],
  [new TypeError('no network'), 'saveFailed'],
])('what would fail for all ends it: %#', async (answer, why) => {
  expect(await run([made(), answer, made()])).toEqual([
    [2, 'made'],
    [3, why],
  ])
})

test('a busy server is waited for as long as it says, one request at a time', async () => {
  fetched.mockImplementationOnce(() => Promise.resolve(refused(503, { 'retry-after': '5' })))
  fetched.mockImplementationOnce(() => Promise.resolve(refused(429, { 'retry-after': '2' })))
  const before = Date.now()
  expect(await run([made()])).toEqual([[2, 'made']])
  expect([fetched.mock.calls.length, Date.now() - before]).toEqual([3, 7_000])
})

test('a mail server that is down is not asked for the next', async () => {
  const asked = () => fetched.mock.calls.map(([url]) => url.includes('mail=sv'))
  await run([made('sent'), made('recipient'), made('timed-out'), made(), made()], 'sv')
  expect(asked()).toEqual([true, true, true, false, false])
})

test('it stops between two, so that no link is lost', async () => {
  const stop = new AbortController()
  fetched.mockImplementationOnce(() => {
    stop.abort()
    return Promise.resolve(made())
  })
  expect(await run([made(), made()], undefined, stop.signal)).toEqual([[2, 'made']])
})
