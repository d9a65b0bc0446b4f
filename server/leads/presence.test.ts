import { expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { noEvents } from '@/server/base/testing/memory-events'
import { testServices } from '@/server/testing/services'
import { createPresence } from './presence'

const one: LeadRef = { kind: 'asked-question', id: '1' }
const other: LeadRef = { kind: 'asked-question', id: '2' }

test('opening and leaving a lead is reported, and a silent tab leaves it 25 seconds after its last heartbeat', () => {
  let now = 0
  const story: string[] = []
  const onChange = (lead: LeadRef) => story.push(`${now / 1000} s: ${lead.id} has ${board.listUserIds(lead).join()}`)
  const board = createPresence(testServices({ events: noEvents, now: () => now }), onChange)
  const heartbeat = (userId: string, tab: string, lead: LeadRef | null = null) =>
    board.update({ userId, tab, lead, school: 'norra' })
  const pass = (seconds: number) => {
    for (const end = now + seconds * 1000; now < end; board.removeExpired()) now += 1000
  }
  heartbeat('sara', 'same', one)
  heartbeat('nils', 'same', one)
  pass(10)
  heartbeat('sara', 'same', one)
  heartbeat('nils', 'same', other)
  pass(1)
  heartbeat('nils', 'same')
  pass(30)
  expect(story).toEqual([
    '0 s: 1 has sara',
    '0 s: 1 has sara,nils',
    '10 s: 1 has sara',
    '10 s: 2 has nils',
    '11 s: 2 has ',
    '35 s: 1 has ',
  ])
})
