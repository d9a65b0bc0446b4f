import { describe, expect, test } from 'vitest'
import { allow, makeViewer, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { createHub } from './announcer'
import type { FetchedNews, News, TriageNews } from './news'
import { createStreamPlaces } from './stream-places'
import { streamEvents } from './stream-events'

describe('an open stream', () => {
  const session = { id: 's1', userId: 'sara', issuedAtMs: 0 }
  const person = { id: 'sara', name: 'Sara', email: 's@x.test', role: 'staff' } as const
  const about = (school: string, id: string): News => ({
    name: 'lead',
    school,
    lead: { kind: 'asked-question', id, what: 'notes' },
  })

  type Told = { beginning?: FetchedNews[]; otherwise?: TriageNews[] }

  /** The stream of somebody whom `find` answers for when it is asked who they are now. */
  function openStream(find: () => Promise<Viewer | null>, { beginning = [], otherwise = [] }: Told = {}) {
    const hub = createHub<News>()
    const viewer = allow(makeViewer({ ...person, schools: ['norra'] }), 'interest:read')
    const newsroom = { beginning: async () => beginning, otherwise: async () => otherwise }
    const streamPlaces = createStreamPlaces({ mostPerPerson: 2, most: 2 })
    const rest = { feed: { markWatched: () => {} }, viewers: { find }, logger: { warn: () => {} } }
    const open = () =>
      streamEvents({ ...rest, hub, newsroom, streamPlaces }, viewer, session, new Request('http://x.test/'))
    const answer = open()
    let received = ''
    const read = async () => {
      for await (const chunk of answer.body ?? []) received += new TextDecoder().decode(chunk)
    }
    return { publish: hub.publish, received: () => received, ended: read(), open, hub, streamPlaces }
  }

  test('is held to other schools at once, and nothing is filtered by the schools before', async () => {
    const stream = openStream(async () => makeViewer({ ...person, schools: ['sodra'] }))
    stream.publish(about('norra', 'before'))
    stream.publish({ name: 'person', userId: 'sara' })
    stream.publish(about('norra', 'after'))
    stream.publish(about('sodra', 'new school'))
    await expect.poll(stream.received).toContain('new school')
    expect(stream.received()).toContain('"before"')
    expect(stream.received()).not.toContain('"after"')
  })

  test('is told all numbers anew when it may see other schools, and only then', async () => {
    const counted = { schoolIds: ['norra', 'sodra'], total: Uint32Array.of(7, 5), unhandled: Uint32Array.of(4, 2) }
    const otherwise: TriageNews[] = [{ name: 'triage', list: 'asked-questions', changes: null, counted }]
    let schools = ['norra']
    const stream = openStream(async () => makeViewer({ ...person, schools }), { otherwise })
    stream.publish({ name: 'person', userId: 'sara' })
    stream.publish(about('norra', 'same'))
    await expect.poll(stream.received).toContain('same')
    expect(stream.received()).not.toContain('counts')
    schools = ['sodra']
    stream.publish({ name: 'person', userId: 'sara' })
    await expect.poll(stream.received).toContain('"total":5,"unhandled":{"sodra":2},"isWhole":true')
  })

  test('is handed over when the instance ends: each is told a moment of its own to come back', async () => {
    const streams = Array.from({ length: 8 }, () =>
      openStream(async () => makeViewer({ ...person, schools: ['norra'] })),
    )
    for (const { hub } of streams) hub.close()
    await Promise.all(streams.map(({ ended }) => ended))
    const told = streams.map(({ received }) => {
      const [, retry, backInMs] =
        /retry: (\d+)\nevent: handover\ndata: \{"backInMs":(\d+)\}\n\n$/.exec(received()) ?? []
      expect(retry).toBe(backInMs)
      return Number(backInMs)
    })
    expect(Math.min(...told)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...told)).toBeLessThan(2_600)
    expect(new Set(told).size).toBeGreaterThan(1)
  })

  test('gives way to a newer one of the same person, and says so that the tab does not come back at once', async () => {
    const stream = openStream(async () => makeViewer({ ...person, schools: ['norra'] }))
    const second = stream.open()
    expect(() => stream.open(), 'the instance is full').toThrow(NotReadyError)
    await second.body?.cancel()
    const { take } = stream.streamPlaces
    take('sara', () => {})
    take('sara', () => {})
    await stream.ended
    expect(stream.received()).toMatch(/event: rest\ndata: \{\}\n\n$/)
    expect([stream.hub.size(), stream.streamPlaces.open()]).toEqual([0, 2])
  })

  test.each([
    ['may no longer come in', () => Promise.resolve(null)],
    ['cannot be confirmed any more', () => Promise.reject(new Error('the database is away'))],
  ])('of a person who %s ends', async (_, find) => {
    const stream = openStream(find)
    stream.publish({ name: 'person', userId: 'nils' })
    stream.publish(about('norra', 'still'))
    await expect.poll(stream.received).toContain('still')
    stream.publish({ name: 'person', userId: 'sara' })
    stream.publish(about('norra', 'late'))
    await stream.ended
    expect(stream.received()).not.toContain('late')
  })
})
