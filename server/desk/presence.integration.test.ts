import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { declaration } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { createPresence, updatePresence } from './presence'

const [one, other]: LeadRef[] = [
  { kind: 'asked-question', id: '1' },
  { kind: 'asked-question', id: '2' },
]

/** A board whose clock the test moves; `story` is what it reported of leads one and two. */
function openBoard() {
  let now = 0
  const story: string[] = []
  const board = createPresence({
    redis: null,
    now: () => now,
    onChange: ({ id }) =>
      story.push(`${now / 1000} s: ${id} has ${board.peopleAt({ kind: 'asked-question', id }).join()}`),
  })
  const heartbeat = (userId: string, tab: string, lead: LeadRef | null = null) =>
    board.update({ userId, tab, lead, school: 'norra' })
  const pass = (seconds: number) => {
    for (const end = now + seconds * 1000; now < end; board.sweep()) now += 1000
  }
  return { board, story, heartbeat, pass }
}

test('who opens a lead and who leaves it is reported once, however often their tabs say so', () => {
  const { story, heartbeat, pass } = openBoard()
  heartbeat('sara', 'a', one)
  pass(10)
  heartbeat('sara', 'a', one)
  heartbeat('nils', 'b', one)
  pass(1)
  heartbeat('nils', 'b', other)
  heartbeat('sara', 'a')
  expect(story).toEqual([
    '0 s: 1 has sara',
    '10 s: 1 has sara,nils',
    '11 s: 1 has sara',
    '11 s: 2 has nils',
    '11 s: 1 has ',
  ])
})

test('a tab that goes silent is gone within thirty seconds, without anybody asking', () => {
  const { story, heartbeat, pass } = openBoard()
  heartbeat('sara', 'a', one)
  pass(10)
  heartbeat('sara', 'a', one)
  pass(20)
  expect(story).toHaveLength(1)
  pass(10)
  expect(story[1]).toBe('35 s: 1 has ')
})

test('several tabs of a person are one person, gone with the last', () => {
  const { board, story, heartbeat } = openBoard()
  heartbeat('sara', 'a', one)
  heartbeat('sara', 'b', one)
  expect(one && board.peopleAt(one)).toEqual(['sara'])
  heartbeat('sara', 'a')
  expect(story).toHaveLength(1)
  heartbeat('sara', 'b', other)
  expect(story).toHaveLength(3)
})

test('nobody takes another person’s tab, and nobody fills the memory with tabs', () => {
  const { board, heartbeat } = openBoard()
  heartbeat('sara', 'same', one)
  heartbeat('nils', 'same')
  expect(one && board.peopleAt(one)).toEqual(['sara'])
  for (let tab = 0; tab < 60; tab += 1) heartbeat('sara', String(tab), other)
  expect(one && board.peopleAt(one), 'the tab with the oldest heartbeat went').toEqual([])
})

describe('for a person', () => {
  let desk: TestDesk
  beforeAll(async () => {
    desk = await openTestDesk()
  })
  afterAll(() => desk.close())

  test('who has a lead open sees the others, never oneself, and nobody out of reach', async () => {
    desk.setDeclarations([declaration('d1', { school: 'sodra' }), declaration('d2', { school: 'norra' })])
    const sara = allow(await desk.person('sara', 'staff', ['norra', 'sodra']), 'leads:read')
    const nils = allow(await desk.person('nils', 'staff', ['sodra']), 'leads:read')
    const boss = await desk.person('boss', 'manager', 'all')
    const tab = '7b0c5d0e-0000-4000-8000-000000000000'
    const lead = { kind: 'declaration-of-interest', id: 'd1' } as const
    const elsewhere = { ...lead, id: 'd2' }
    expect(await updatePresence(desk.parts, sara, { tab, lead })).toEqual({ others: [] })
    expect(await updatePresence(desk.parts, nils, { tab, lead })).toEqual({ others: [{ id: 'sara', name: 'sara' }] })
    await expect(updatePresence(desk.parts, nils, { tab, lead: elsewhere })).rejects.toThrow(NotFoundError)
    expect(() => allow(boss, 'leads:read')).toThrow(ForbiddenError)
    expect(await updatePresence(desk.parts, sara, { tab, lead: null })).toEqual({ others: [] })
    expect(await updatePresence(desk.parts, nils, { tab, lead })).toEqual({ others: [] })
  })
})
