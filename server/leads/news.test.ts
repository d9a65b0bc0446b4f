import { describe, expect, test } from 'vitest'
import type { Status } from '@/lib/contract/feed-status'
import type { SchoolScope } from '@/lib/contract/user'
import { makeViewer } from '@/server/access/viewer'
import { createHub } from '@/server/base/announcer'
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

function eventsOf(news: News, to = norra): Record<string, unknown> {
  const events = (eventTextFor(news, to)?.text ?? '').split('\n\n').filter(Boolean)
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
    ...change,
  })

  test('that brought nothing new sends everyone how fresh the lists are, and no more', () => {
    for (const one of [norra, everywhere, manager]) expect(eventsOf(news({ isNew: false }), one)).toEqual({ status })
  })

  test('sends the users of the schools that changed what to ask; the others have nothing to ask', () => {
    const yours = { list: 'asked-questions', version: 3, yours: true, askInMs: -1 }
    expect(eventsOf(news(), sodra)).toEqual({ status, changed: yours })
    expect(eventsOf(news(), norra)).toEqual({ status, changed: { ...yours, yours: false } })
    expect([sodra, norra].map((reader) => eventTextFor(news(), reader)?.isAsked)).toEqual([true, false])
  })

  test('of which it is not known what it changed concerns everyone', () => {
    expect(eventsOf(news({ touched: null }), norra)).toMatchObject({ changed: { yours: true } })
  })

  test('discloses to managers no lead, no school and not that anything came', () => {
    for (const touched of [null, { ids: ['q1'], schools: new Set(['sodra']) }])
      expect(eventsOf(news({ touched }), manager)).toEqual({ status })
    const schools = eventsOf(news({ list: 'high-schools', touched: null }), manager)
    expect(schools).toMatchObject({ changed: { yours: true } })
  })
})

describe('what the staff do', () => {
  const lead = { name: 'lead', school: 'sodra', lead: { kind: 'asked-question', id: 'q1', what: 'notes' } } as const
  const triage = (...changes: { by: string; schools: string[] }[]) =>
    ({ name: 'triage', list: 'asked-questions', changes }) satisfies News

  test('to a lead is sent only to users who may see it', () => {
    expect([eventTextFor(lead, norra), eventTextFor(lead, manager)]).toEqual([null, null])
    expect(eventsOf(lead, sodra)).toEqual({ lead: lead.lead })
  })

  test('is sent to users of the same schools, with the author unless there were several', () => {
    const inBoth = triage({ by: 'sara', schools: ['norra', 'sodra'] }, { by: 'nils', schools: ['sodra'] })
    expect(eventsOf(inBoth)).toEqual({ triage: { list: 'asked-questions', by: 'sara', askInMs: -1 } })
    expect(eventsOf(inBoth, everywhere)).toMatchObject({ triage: { by: '' } })
    expect(eventTextFor(triage({ by: 'nils', schools: ['sodra'] }), norra)).toBeNull()
    expect(eventTextFor(inBoth, manager)).toBeNull()
  })

  test('of which nothing is known concerns everyone', () => {
    const missed: News = { name: 'triage', list: 'asked-questions', changes: null }
    expect(eventsOf(missed)).toEqual({
      triage: { list: 'asked-questions', by: '', askInMs: -1 },
    })
    expect(eventTextFor(missed, manager)).toBeNull()
  })

  test('is asked for at a moment of each stream’s own', () => {
    const text = eventTextFor(triage({ by: 'sara', schools: ['norra'] }), norra)?.text ?? ''
    expect(withWait(text, 250)).toContain('"askInMs":250')
    expect(withWait(text, 250)).not.toContain('-1')
  })
})

describe('the newsroom', () => {
  const list = { version: 3 }
  const none = { version: 0 }

  function openNewsroom(questions = list) {
    const hub = createHub<News>()
    const published: News[] = []
    hub.subscribe({ onEvent: (news) => void published.push(news), onClose: () => {} })
    const feed = { askedQuestions: () => questions, declarations: () => none, highSchools: () => none }
    return { newsroom: createNewsroom(feed, hub, () => status), published }
  }

  test('publishes in order', () => {
    const { newsroom, published } = openNewsroom()
    newsroom.fetched('asked-questions', true, null)
    newsroom.desk({ name: 'triage', list: 'asked-questions', changes: [{ by: 'sara', schools: ['norra'] }] })
    newsroom.missed()
    expect(published.map(({ name }) => name)).toEqual(['fetched', 'triage', 'triage', 'triage'])
  })

  test('sends a new stream the state of the feed, also before the first answer', () => {
    const begun = (questions?: typeof list) =>
      openNewsroom(questions)
        .newsroom.beginning()
        .map((news) => eventsOf(news))
    expect(begun(none)).toEqual([{ status }])
    expect(begun()).toMatchObject([{ status, changed: { version: 3 } }])
  })
})
