import { expect, test, describe } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createAnnouncer, type DeskEvent } from './announcer'
import { createHub } from './hub'
import { noEvents } from './testing/memory-events'

const lead: LeadRef = { kind: 'asked-question', id: 'q1' }

test('many changes reach browsers together once a second, and what is about one lead at once', () => {
  const published: DeskEvent[] = []
  const later: (() => void)[] = []
  const announcer = createAnnouncer({ events: noEvents, schedule: (_, run) => later.push(run) })
  announcer.registerBrowsers((event) => published.push(event))
  const passSecond = () => later.splice(0).forEach((run) => run())

  for (let count = 0; count < 100; count += 1) announcer.announceTriage('asked-question', 'sara', ['norra'])
  announcer.announceTriage('asked-question', 'sara', ['sodra'])
  announcer.announceTriage('asked-question', 'nils', ['sodra'])
  announcer.announceTriage('declaration-of-interest', 'sara', ['norra'])
  announcer.announceNotes(lead, 'sodra')
  expect(published).toEqual([{ name: 'lead', school: 'sodra', lead: { ...lead, what: 'notes' } }])

  passSecond()
  const ofSara = { userId: 'sara', schools: ['norra'] }
  const ofSaraAtBoth = { userId: 'sara', schools: ['norra', 'sodra'] }
  expect(published.slice(1)).toEqual([
    { name: 'triage', list: 'asked-questions', changes: [ofSaraAtBoth, { userId: 'nils', schools: ['sodra'] }] },
    { name: 'triage', list: 'declarations-of-interest', changes: [ofSara] },
  ])
  announcer.announceTriage('asked-question', 'sara', ['norra'])
  passSecond()
  expect(published.slice(3)).toEqual([{ name: 'triage', list: 'asked-questions', changes: [ofSara] }])
})

test.each([
  [true, []],
  [false, [5_000]],
])('a change of rights that PostgreSQL passes on (%s) has taken effect after waits of %j ms', async (isSent, waits) => {
  const waited: number[] = []
  const schedule = (delayMs: number, run: () => void) => {
    waited.push(delayMs)
    run()
  }
  const events = { registerTopic: () => async () => isSent }
  await createAnnouncer({ events, schedule, cacheTtlMs: 5_000 }).announceUser('sara')
  expect(waited).toEqual(waits)
})

describe('the hub', () => {
  test('names the place of each among those that act', () => {
    const hub = createHub<string>()
    const places: number[] = []
    for (const acts of [true, false, true, true])
      hub.subscribe({ onEvent: (_, place) => (places.push(place), acts), onClose: () => {} })
    hub.publish('new leads')
    expect(places).toEqual([0, 1, 1, 2])
  })

  test('a closing hub ends every subscription once, and late ones at once', () => {
    const hub = createHub<string>()
    const received: string[] = []
    const subscriber = (name: string) => ({
      onEvent: (event: string) => void received.push(`${name}: ${event}`),
      onClose: () => void received.push(`${name} closed`),
    })
    hub.subscribe(subscriber('early'))
    hub.close()
    hub.publish('too late')
    hub.subscribe(subscriber('late'))
    expect([received, hub.size()]).toEqual([['early closed', 'late closed'], 0])
  })
})
