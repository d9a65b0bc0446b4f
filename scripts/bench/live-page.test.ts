import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Stream } from '@/lib/api/live'
import { createLivePage } from './live-page'

const SECOND = 1_000

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 8) })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

let close = () => {}
afterEach(() => {
  close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const LIST = '/api/declarations-of-interest'
const NUMBERS = ['POST /api/list-counts', 'GET /api/views']
const NOT_YET = { status: 503, headers: { 'retry-after': '4' } }

/** A page of the declarations, a server that answers at once, and a stream that the test speaks through. */
async function openPage() {
  const asked: string[] = []
  const listeners = new Map<string, (event: { data?: unknown }) => void>()
  const rows: string[][] = []
  let version = 1
  let refused = ''
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    const [name = ''] = path.split('?')
    asked.push(`${method} ${name}`)
    return refused !== '' && name.endsWith(refused)
      ? new Response('{}', NOT_YET)
      : Response.json(answerTo(name, version))
  })
  const connect = (): Stream => ({
    addEventListener: (name, listener) => void listeners.set(name, listener),
    close: () => {},
  })
  const onRows = (items: readonly { id: string }[]) => void rows.push(items.map(({ id }) => id))
  const page = createLivePage({ list: 'declarations-of-interest', connect, onRows })
  close = page.close
  const opening = page.open()
  await vi.advanceTimersByTimeAsync(0)
  await opening
  return {
    page,
    rows,
    say: (name: string, data: object) => listeners.get(name)?.({ data: JSON.stringify(data) }),
    newVersion: () => (version += 1),
    refuse: (path: string) => (refused = path),
    /** What is asked in that time, and was before since the last look. */
    during: async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return asked.splice(0)
    },
  }
}

function answerTo(path: string, version: number): object {
  const snapshot = { fetchedAt: '', nextAt: null, stale: false, problem: null, version, unreadable: 0 }
  const triage = { status: 'new', assignee: null, updatedAt: null }
  if (path === LIST) return { declarationsOfInterest: [{ id: `lead ${version}`, triage }], total: 1, snapshot }
  if (path === '/api/high-schools') return { highSchools: [], snapshot }
  if (path === '/api/list-counts') return { total: 1, status: { new: 1 }, school: {} }
  if (path === '/api/triage') return { changed: [], conflicts: [], undo: null }
  return { views: [], lists: {}, budget: {}, now: '' }
}

/** What a stream tells at its beginning, so that nobody asks for it. */
function tellAll({ say }: Awaited<ReturnType<typeof openPage>>): void {
  say('status', { now: '2026-11-20T08:00:00.000Z', lists: {}, problems: [], budget: {} })
  for (const list of ['declarations-of-interest', 'asked-questions'])
    say('counts', { list, total: 1, unhandled: {}, isWhole: true })
}

const live = async () => {
  const tab = await openPage()
  tellAll(tab)
  await tab.during(30 * SECOND)
  return tab
}
const changed = (list: string, version: number) => ({ list, version, yours: true, askInMs: 100 })

test('the list is there from the beginning, and what the stream tells is not asked for', async () => {
  const tab = await openPage()
  tellAll(tab)
  expect(tab.rows.at(-1)).toEqual(['lead 1'])
  const asked = await tab.during(7 * SECOND)
  const times = (what: string) => asked.filter((one) => one === what).length
  expect([`GET ${LIST}`, ...NUMBERS].map(times)).toEqual([1, 1, 1])
})

test('a new version of its list is asked for when told, the numbers a while later', async () => {
  const tab = await live()
  const version = tab.newVersion()
  tab.say('changed', changed('declarations-of-interest', version))
  expect(await tab.during(13 * SECOND)).toEqual([`GET ${LIST}`])
  expect(tab.rows.at(-1)).toEqual(['lead 2'])
  expect((await tab.during(3 * SECOND)).toSorted()).toEqual(NUMBERS.toSorted())
})

test('of the other list only the numbers are asked for, and a version that is on screen is not asked for again', async () => {
  const tab = await live()
  tab.say('changed', changed('asked-questions', 9))
  tab.say('changed', changed('declarations-of-interest', 1))
  expect((await tab.during(40 * SECOND)).toSorted()).toEqual(NUMBERS.toSorted())
})

test('what a colleague decides is asked for when told, with the numbers above the list; those of the views a while later', async () => {
  const tab = await live()
  const triage = { list: 'declarations-of-interest', by: '', askInMs: 100 }
  for (let many = 0; many < 3; many += 1) tab.say('triage', triage)
  expect((await tab.during(2 * SECOND)).toSorted()).toEqual([`GET ${LIST}`, 'POST /api/list-counts'])
  tab.say('triage', { ...triage, list: 'asked-questions' })
  expect(await tab.during(2 * SECOND)).toEqual([])
  expect((await tab.during(20 * SECOND)).toSorted()).toEqual(NUMBERS.toSorted())
})

test('a list that is refused is asked for twice more, each time after what Retry-After says', async () => {
  const tab = await live()
  tab.refuse(LIST)
  tab.say('changed', changed('declarations-of-interest', 2))
  expect(await tab.during(4 * SECOND)).toEqual([`GET ${LIST}`])
  expect(await tab.during(SECOND)).toEqual([`GET ${LIST}`])
  expect((await tab.during(4 * SECOND)).filter((asked) => asked.includes(LIST))).toEqual([`GET ${LIST}`])
  expect(await tab.during(2 * SECOND)).toEqual([])
})

test('every two minutes the list is asked for untold', async () => {
  const tab = await live()
  const asked: string[] = []
  for (let beats = 0; beats < 6; beats += 1) {
    tab.say('beat', {})
    asked.push(...(await tab.during(20 * SECOND)))
  }
  expect(asked.filter((path) => path.includes(LIST))).toEqual([`GET ${LIST}`])
})

test('a decision is sent, and what it changes is asked for again', async () => {
  const tab = await live()
  void tab.page.decide()
  expect(new Set(await tab.during(2 * SECOND))).toEqual(new Set(['PATCH /api/triage', `GET ${LIST}`, ...NUMBERS]))
})
