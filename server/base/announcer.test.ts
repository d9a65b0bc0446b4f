import { expect, test, describe } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { type DeskEvent, createAnnouncer, createHub } from './announcer'
import { noEvents } from './testing/memory-events'

describe('the announcer', () => {
  const lead: LeadRef = { kind: 'asked-question', id: 'q1' }
  const triage = (...changes: { by: string; schools: string[] }[]) =>
    ({ name: 'triage', list: 'asked-questions', changes }) satisfies DeskEvent

  test('many changes are published once a second, after the second, with everything in it', () => {
    const published: DeskEvent[] = []
    const later: (() => void)[] = []
    const announcer = createAnnouncer({ events: noEvents, schedule: (_, run) => later.push(run) })
    announcer.publishes((event) => published.push(event))
    const pass = () => later.splice(0).forEach((run) => run())
    for (let count = 0; count < 100; count += 1) announcer.triage('asked-question', 'sara', ['norra'])
    announcer.triage('asked-question', 'nils', ['sodra'])
    announcer.triage('declaration-of-interest', 'sara', ['norra'])
    announcer.lead(lead, 'sodra', 'notes')
    expect(published).toEqual([{ name: 'lead', school: 'sodra', lead: { ...lead, what: 'notes' } }])
    pass()
    expect(published.slice(1)).toEqual([
      triage({ by: 'sara', schools: ['norra'] }, { by: 'nils', schools: ['sodra'] }),
      { ...triage({ by: 'sara', schools: ['norra'] }), list: 'declarations-of-interest' },
    ])
    announcer.triage('asked-question', 'eva', ['norra'])
    pass()
    expect(published.at(-1)).toEqual(triage({ by: 'eva', schools: ['norra'] }))
    pass()
    expect(published).toHaveLength(4)
  })
})

describe('a change of what a user may see', () => {
  /** What the announcer waits for, where the database passes its messages on or does not. */
  async function changeOf(isPassedOn: boolean) {
    const waits: number[] = []
    const schedule = (delayMs: number, run: () => void) => {
      waits.push(delayMs)
      run()
    }
    const events = { isListening: () => true, topic: () => async () => isPassedOn }
    const announcer = createAnnouncer({ events, schedule, cacheTtlMs: 5_000 })
    await announcer.userChanged('sara')
    return waits
  }

  test('resolves at once when the others have been notified, and else when their caches have expired', async () => {
    expect(await changeOf(true)).toEqual([])
    expect(await changeOf(false)).toEqual([5_000])
  })
})

describe('the hub', () => {
  function listener() {
    const received: string[] = []
    return {
      received,
      onEvent: (event: string) => void received.push(event),
      onClose: () => void received.push('closed'),
    }
  }

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
    const [early, late] = [listener(), listener()]
    hub.subscribe(early)
    hub.close()
    hub.publish('too late')
    hub.subscribe(late)
    expect([early.received, late.received, hub.size()]).toEqual([['closed'], ['closed'], 0])
  })
})
