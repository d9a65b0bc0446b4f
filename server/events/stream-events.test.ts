import { beforeEach, expect, test, vi } from 'vitest'
import { makeViewer, type Viewer } from '@/server/access/make-viewer'
import { createHub } from './hub'
import type { HubEvent } from './desk-event'
import { streamEvents } from './stream-events'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))
const session = { userId: 'sara', epoch: 0, issuedAtMs: 0 }
vi.mock('@/server/access/viewer', () => ({ currentSession: async () => session }))

const person = { id: 'sara', name: 'Sara', email: 's@x.test', role: 'staff' } as const
const about = (school: string, id: string): HubEvent => ({
  name: 'lead',
  school,
  lead: { kind: 'asked-question', id, what: 'notes' },
})
const find = vi.fn<() => Promise<Viewer | null>>()
const hub = createHub<HubEvent>()
const list = () => ({ version: 0 })

beforeEach(() => {
  const feed = { look: () => {}, askedQuestions: list, declarations: list, highSchools: list }
  parts.current = { feed, hub, viewers: { find }, logger: { warn: () => {} } }
})

async function listen(): Promise<{ heard: () => string; ended: Promise<void> }> {
  const answer = await streamEvents(makeViewer({ ...person, schools: ['norra'] }), new Request('http://x.test/'))
  let heard = ''
  const read = async () => {
    for await (const chunk of answer.body ?? []) heard += new TextDecoder().decode(chunk)
  }
  return { heard: () => heard, ended: read() }
}

test('other schools hold at once for an open stream, and nothing is told by what held before', async () => {
  find.mockResolvedValue(makeViewer({ ...person, schools: ['sodra'] }))
  const stream = await listen()
  hub.publish(about('norra', 'before'))
  hub.publish({ name: 'person', userId: 'sara' })
  hub.publish(about('norra', 'after'))
  hub.publish(about('sodra', 'new school'))
  await expect.poll(stream.heard).toContain('new school')
  expect(stream.heard()).toContain('"before"')
  expect(stream.heard()).not.toContain('"after"')
})

test.each([
  ['may no longer come in', () => Promise.resolve(null)],
  ['cannot be confirmed any more', () => Promise.reject(new Error('the database is away'))],
])('the stream of a person who %s ends', async (_, answer) => {
  find.mockImplementation(answer)
  const stream = await listen()
  hub.publish({ name: 'person', userId: 'nils' })
  hub.publish(about('norra', 'still'))
  await expect.poll(stream.heard).toContain('still')
  hub.publish({ name: 'person', userId: 'sara' })
  hub.publish(about('norra', 'late'))
  await stream.ended
  expect(stream.heard()).not.toContain('late')
})
