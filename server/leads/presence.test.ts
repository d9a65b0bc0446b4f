import { expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { noEvents } from '@/server/base/testing/memory-events'
import { testServices } from '@/server/testing/services'
import { createPresence } from './presence'

const one: LeadRef = { kind: 'asked-question', id: '1' }
const other: LeadRef = { kind: 'asked-question', id: '2' }

/** A board whose clock the test moves; `story` is what it reported of leads one and two. */
function openBoard() {
  let now = 0
  const story: string[] = []
  const onChange = (lead: LeadRef) => story.push(`${now / 1000} s: ${lead.id} has ${board.listUserIds(lead).join()}`)
  const board = createPresence(testServices({ events: noEvents, now: () => now }), onChange)
  const heartbeat = (userId: string, tab: string, lead: LeadRef | null = null) =>
    board.update({ userId, tab, lead, school: 'norra' })
  const pass = (seconds: number) => {
    for (const end = now + seconds * 1000; now < end; board.removeExpired()) now += 1000
  }
  return { board, story, heartbeat, pass }
}

test('who opens a lead and who leaves it is reported once, however many tabs of a user say so', () => {
  const { story, heartbeat, pass } = openBoard()
  heartbeat('sara', 'a', one)
  heartbeat('sara', 'second', one)
  pass(10)
  heartbeat('sara', 'a', one)
  heartbeat('nils', 'b', one)
  pass(1)
  heartbeat('nils', 'b', other)
  heartbeat('sara', 'second', other)
  pass(1)
  heartbeat('sara', 'a')
  expect(story).toEqual([
    '0 s: 1 has sara',
    '10 s: 1 has sara,nils',
    '11 s: 1 has sara',
    '11 s: 2 has nils',
    '11 s: 2 has nils,sara',
    '12 s: 1 has ',
  ])
})

test('a tab that goes silent is gone 25 seconds after its last heartbeat, without anybody asking', () => {
  const { story, heartbeat, pass } = openBoard()
  heartbeat('sara', 'a', one)
  pass(10)
  heartbeat('sara', 'a', one)
  pass(30)
  expect(story).toEqual(['0 s: 1 has sara', '35 s: 1 has '])
})

test('nobody takes another user’s tab, and nobody fills the memory with tabs', () => {
  const { board, heartbeat } = openBoard()
  heartbeat('sara', 'same', one)
  heartbeat('nils', 'same')
  expect(board.listUserIds(one)).toEqual(['sara'])
  for (let tab = 0; tab < 60; tab += 1) heartbeat('sara', String(tab), other)
  expect(board.listUserIds(one), 'the tab with the oldest heartbeat went').toEqual([])
})
