import { describe, expect, test } from 'vitest'
import type { SchoolScope } from '@/lib/contract/user'
import { allow, makeViewer, type Viewer } from '@/server/access/viewer'
import { createHub, type DeskEvent, type HubEvent } from './announcer'
import { eventFor, streamEvents } from './stream-events'

describe('an open stream', () => {
  const session = { userId: 'sara', epoch: 0, issuedAtMs: 0 }
  const person = { id: 'sara', name: 'Sara', email: 's@x.test', role: 'staff' } as const
  const about = (school: string, id: string): HubEvent => ({
    name: 'lead',
    school,
    lead: { kind: 'asked-question', id, what: 'notes' },
  })

  /** The stream of somebody whom `find` answers for when it is asked who they are now. */
  function openStream(find: () => Promise<Viewer | null>) {
    const hub = createHub<HubEvent>()
    const list = () => ({ version: 0 })
    const feed = { markWatched: () => {}, askedQuestions: list, declarations: list, highSchools: list }
    const viewer = allow(makeViewer({ ...person, schools: ['norra'] }), 'interest:read')
    const parts = { feed, hub, viewers: { find }, logger: { warn: () => {} } }
    const answer = streamEvents(parts, viewer, session, new Request('http://x.test/'))
    let received = ''
    const read = async () => {
      for await (const chunk of answer.body ?? []) received += new TextDecoder().decode(chunk)
    }
    return { publish: hub.publish, received: () => received, ended: read() }
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

describe('what a person receives of an event', () => {
  const viewer = (role: 'staff' | 'manager', schools: SchoolScope) =>
    makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools })
  const norra = viewer('staff', ['norra'])
  const manager = viewer('manager', 'all')
  const changed = { name: 'changed', change: { list: 'asked-questions', version: 3 } } as const
  const lead = {
    name: 'lead',
    school: 'sodra',
    lead: { kind: 'asked-question', id: 'q1', what: 'notes' },
  } as const
  const triage = (...changes: { by: string; schools: string[] }[]) =>
    ({ name: 'triage', list: 'asked-questions', changes }) satisfies DeskEvent

  test('everyone receives that a list changed', () => {
    expect([norra, manager].map((one) => eventFor(one, changed)?.data)).toEqual([changed.change, changed.change])
  })

  test('an event about a lead reaches only those who may see it', () => {
    expect(eventFor(norra, lead)).toBeNull()
    expect(eventFor(manager, lead)).toBeNull()
    expect(eventFor(viewer('staff', ['sodra']), lead)).toEqual({ name: 'lead', data: lead.lead })
  })

  test('triage reaches those of the same schools, with who it was unless they were several', () => {
    const inBoth = triage({ by: 'sara', schools: ['norra', 'sodra'] }, { by: 'nils', schools: ['sodra'] })
    expect(eventFor(norra, inBoth)?.data).toEqual({ list: 'asked-questions', by: 'sara' })
    expect(eventFor(viewer('staff', 'all'), inBoth)?.data).toEqual({ list: 'asked-questions', by: '' })
    expect(eventFor(norra, triage({ by: 'nils', schools: ['sodra'] }))).toBeNull()
    expect(eventFor(manager, inBoth)).toBeNull()
  })
})
