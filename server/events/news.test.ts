import { describe, expect, test } from 'vitest'
import type { Status } from '@/lib/contract/feed-status'
import type { SchoolScope } from '@/lib/contract/user'
import { makeViewer } from '@/server/access/viewer'
import { question } from '@/lib/leads/testing/leads'
import type { TriageOf } from '@/lib/leads/triage-columns'
import { allIsWork } from '@/lib/leads/work-rules'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { createTriageColumnsCache } from '@/server/leads/list-counts'
import { createHub } from './announcer'
import { createNewsroom, type FetchedNews, type News, eventTextFor, withWait } from './news'

const viewer = (role: 'staff' | 'manager', schools: SchoolScope) =>
  makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools })
const norra = viewer('staff', ['norra'])
const sodra = viewer('staff', ['sodra'])
const everywhere = viewer('staff', 'all')
const manager = viewer('manager', 'all')

const status: Status = {
  mode: 'demo',
  now: '2026-11-20T08:00:00.000Z',
  lists: { 'asked-questions': null, 'declarations-of-interest': null, 'high-schools': null },
  problems: [],
  budget: { spentThisHour: 1, perHour: 600 },
}
const counted = { schoolIds: ['norra', 'sodra'], total: Uint32Array.of(10, 5), unhandled: Uint32Array.of(4, 0) }

function eventsOf(news: News, to = norra): Record<string, unknown> {
  const events = (eventTextFor(news, to) ?? '').split('\n\n').filter(Boolean)
  return Object.fromEntries(
    events.map((event) => {
      const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(event) ?? []
      return [name, JSON.parse(data)]
    }),
  )
}

describe('a fetch', () => {
  const news = (change: Partial<FetchedNews> = {}): FetchedNews => ({
    name: 'fetched',
    list: 'asked-questions',
    version: 3,
    isNew: true,
    touched: { ids: ['q1'], schools: new Set(['sodra']) },
    status,
    counted,
    ...change,
  })

  test('that brought nothing new sends everyone how fresh the lists are, and no more', () => {
    for (const one of [norra, everywhere, manager]) expect(eventsOf(news({ isNew: false }), one)).toEqual({ status })
  })

  test('sends the numbers of the schools that changed to their users; the others have nothing to ask', () => {
    const yours = { list: 'asked-questions', version: 3, yours: true, askInMs: -1 }
    const counts = { list: 'asked-questions', total: 5, unhandled: { sodra: 0 }, isWhole: false }
    expect(eventsOf(news(), sodra)).toEqual({ status, changed: yours, counts })
    expect(eventsOf(news(), everywhere)).toMatchObject({ counts: { total: 15, unhandled: { sodra: 0 } } })
    expect(eventsOf(news(), norra)).toEqual({ status, changed: { ...yours, yours: false } })
  })

  test('of which it is not known what it changed concerns everyone, with the numbers of all their schools', () => {
    const counts = { list: 'asked-questions', total: 15, unhandled: { norra: 4, sodra: 0 }, isWhole: true }
    expect(eventsOf(news({ touched: null }), everywhere)).toMatchObject({ changed: { yours: true }, counts })
    expect(eventsOf(news({ touched: null }), norra)).toMatchObject({ counts: { total: 10, unhandled: { norra: 4 } } })
  })

  test('discloses to managers no lead, no school and not that anything came', () => {
    for (const touched of [null, { ids: ['q1'], schools: new Set(['sodra']) }])
      expect(eventsOf(news({ touched }), manager)).toEqual({ status })
    const schools = eventsOf(news({ list: 'high-schools', touched: null }), manager)
    expect(schools).toMatchObject({ changed: { yours: true } })
  })

  test('is written once for all who see the same', () => {
    const one = news()
    expect(eventTextFor(one, sodra)).toBe(eventTextFor(one, viewer('staff', ['sodra'])))
  })
})

describe('what the staff do', () => {
  const lead = { name: 'lead', school: 'sodra', lead: { kind: 'asked-question', id: 'q1', what: 'notes' } } as const
  const triage = (...changes: { by: string; schools: string[] }[]) =>
    ({ name: 'triage', list: 'asked-questions', changes, counted }) satisfies News

  test('to a lead is sent only to users who may see it', () => {
    expect([eventTextFor(lead, norra), eventTextFor(lead, manager)]).toEqual([null, null])
    expect(eventsOf(lead, sodra)).toEqual({ lead: lead.lead })
  })

  test('is sent to users of the same schools, with the author unless there were several', () => {
    const inBoth = triage({ by: 'sara', schools: ['norra', 'sodra'] }, { by: 'nils', schools: ['sodra'] })
    expect(eventsOf(inBoth)).toMatchObject({
      triage: { list: 'asked-questions', by: 'sara' },
      counts: { total: 10, unhandled: { norra: 4 } },
    })
    expect(eventsOf(inBoth, everywhere)).toMatchObject({ triage: { by: '' } })
    expect(eventTextFor(triage({ by: 'nils', schools: ['sodra'] }), norra)).toBeNull()
    expect(eventTextFor(inBoth, manager)).toBeNull()
  })

  test('of which nothing is known concerns everyone, with the numbers of all their schools', () => {
    const missed: News = { name: 'triage', list: 'asked-questions', changes: null, counted }
    expect(eventsOf(missed)).toEqual({
      triage: { list: 'asked-questions', by: '', askInMs: -1 },
      counts: { list: 'asked-questions', total: 10, unhandled: { norra: 4 }, isWhole: true },
    })
    expect(eventTextFor(missed, manager)).toBeNull()
  })

  test('is asked for at a moment of each stream’s own', () => {
    const text = eventTextFor(triage({ by: 'sara', schools: ['norra'] }), norra) ?? ''
    expect(withWait(text, 250)).toContain('"askInMs":250')
    expect(withWait(text, 250)).not.toContain('-1')
  })
})

describe('the newsroom', () => {
  const table = builtTableOf('asked-question', [question('q1')])
  const list = { version: 3, content: { table } }
  const none = { version: 0, content: null }

  /** A newsroom with one question of Norra, and what it publishes; `entries` is what the database answers about triage. */
  function openNewsroom(entries: () => Promise<TriageOf>, questions: typeof list | typeof none = list) {
    const hub = createHub<News>()
    const published: News[] = []
    hub.subscribe({ onEvent: (news) => published.push(news), onClose: () => {} })
    const newsroom = createNewsroom({
      feed: { askedQuestions: () => questions, declarations: () => none, highSchools: () => none },
      triage: { current: entries, changes: () => 0 },
      triageColumns: createTriageColumnsCache(),
      work: { rules: async () => allIsWork },
      protections: { current: async () => ({ all: [], fingerprint: '' }) },
      hub,
      status: () => status,
      logger: { warn: () => {} },
    })
    return { newsroom, published, numbers: () => published.map((news) => 'counted' in news && news.counted?.total[0]) }
  }

  test('publishes in order, each with the numbers of its moment', async () => {
    const { newsroom, published, numbers } = openNewsroom(async () => new Map())
    newsroom.fetched('asked-questions', true, null)
    newsroom.desk({ name: 'triage', list: 'asked-questions', changes: [{ by: 'sara', schools: ['norra'] }] })
    newsroom.missed()
    await expect.poll(() => published.map(({ name }) => name)).toEqual(['fetched', 'triage', 'triage', 'triage'])
    expect(numbers()).toEqual([1, 1, 1, undefined])
  })

  test('sends a new stream the state of the feed, also before the first answer', async () => {
    const nothing = openNewsroom(async () => new Map(), none).newsroom
    expect((await nothing.beginning()).map((news) => eventsOf(news))).toEqual([{ status }])
    const some = openNewsroom(async () => new Map()).newsroom
    expect((await some.beginning()).map((news) => eventsOf(news))).toMatchObject([{ status, changed: { version: 3 } }])
  })

  test('freshness does not wait for a database that hangs; the numbers follow once it answers', async () => {
    const answers: (() => void)[] = []
    const hanging = () => new Promise<TriageOf>((resolve) => answers.push(() => resolve(new Map())))
    const { newsroom, numbers } = openNewsroom(hanging)
    newsroom.fetched('asked-questions', true, null)
    newsroom.fetched('asked-questions', true, null)
    await expect.poll(numbers, { timeout: 3_000 }).toEqual([undefined, undefined])
    for (const answer of answers.splice(0)) answer()
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.()
    await expect.poll(numbers).toEqual([undefined, undefined, 1])
  })
})
