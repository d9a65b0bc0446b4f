import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Stream } from '@/lib/api/shared-stream'
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

async function openPage() {
  const asked: string[] = []
  const listeners = new Map<string, (event: { data?: unknown }) => void>()
  const rows: string[][] = []
  let version = 1
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    const [name = ''] = path.split('?')
    asked.push(`${method} ${name}`)
    return Response.json(answerTo(name, version))
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

function tellAll({ say }: Awaited<ReturnType<typeof openPage>>): void {
  say('status', { now: '2026-11-20T08:00:00.000Z', lists: {}, problems: [], budget: {} })
}

const live = async () => {
  const tab = await openPage()
  tellAll(tab)
  await tab.during(30 * SECOND)
  return tab
}

test('the list is there from the beginning, and what the stream tells is not asked for', async () => {
  const tab = await openPage()
  tellAll(tab)
  expect(tab.rows.at(-1)).toEqual(['lead 1'])
  const asked = await tab.during(7 * SECOND)
  const times = (what: string) => asked.filter((one) => one === what).length
  expect([`GET ${LIST}`, ...NUMBERS].map(times)).toEqual([1, 1, 1])
})

test('a new version of its list is requested after an event, the numbers a while later', async () => {
  const tab = await live()
  const version = tab.newVersion()
  tab.say('changed', { list: 'declarations-of-interest', version, yours: true, askInMs: 100 })
  expect(await tab.during(13 * SECOND)).toEqual([`GET ${LIST}`])
  expect(tab.rows.at(-1)).toEqual(['lead 2'])
  expect((await tab.during(3 * SECOND)).toSorted()).toEqual(NUMBERS.toSorted())
})

test('a decision is sent, and what it changes is asked for again', async () => {
  const tab = await live()
  void tab.page.decide()
  expect(new Set(await tab.during(2 * SECOND))).toEqual(new Set(['PATCH /api/triage', `GET ${LIST}`, ...NUMBERS]))
})
