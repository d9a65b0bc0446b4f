import { expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createPresenceBoard } from './presence-board'

const [one, other]: LeadRef[] = [
  { kind: 'asked-question', id: '1' },
  { kind: 'asked-question', id: '2' },
]

/** A board whose clock the test moves; `story` is what was told of leads one and two. */
function openBoard() {
  let now = 0
  const due: { at: number; run: () => void }[] = []
  const story: string[] = []
  const board = createPresenceBoard({
    now: () => now,
    schedule: (delayMs, run) => due.push({ at: now + delayMs, run }),
    onChange: ({ id }) =>
      story.push(`${now / 1000} s: ${id} has ${board.peopleAt({ kind: 'asked-question', id }).join()}`),
  })
  const beat = (userId: string, tab: string, lead: LeadRef | null = null) =>
    board.note({ userId, tab, lead, school: 'norra' })
  const pass = (seconds: number) => {
    const end = now + seconds * 1000
    for (;;) {
      const next = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      due.splice(due.indexOf(next), 1)
      now = next.at
      next.run()
    }
    now = end
  }
  return { board, story, beat, pass, waiting: () => due.length }
}

test('who opens a lead and who leaves it is told once, however often their tabs say so', () => {
  const { story, beat, pass } = openBoard()
  beat('sara', 'a', one)
  pass(10)
  beat('sara', 'a', one)
  beat('nils', 'b', one)
  pass(1)
  beat('nils', 'b', other)
  beat('sara', 'a')
  expect(story).toEqual([
    '0 s: 1 has sara',
    '10 s: 1 has sara,nils',
    '11 s: 1 has sara',
    '11 s: 2 has nils',
    '11 s: 1 has ',
  ])
})

test('a tab that goes silent is gone within thirty seconds, without anybody asking', () => {
  const { story, beat, pass, waiting } = openBoard()
  beat('sara', 'a', one)
  pass(10)
  beat('sara', 'a', one)
  pass(20)
  expect(story).toHaveLength(1)
  pass(10)
  expect(story[1]).toBe('35 s: 1 has ')
  expect(waiting(), 'nobody there, nothing to wait for').toBe(0)
})

test('several tabs of a person are one person, gone with the last', () => {
  const { board, story, beat } = openBoard()
  beat('sara', 'a', one)
  beat('sara', 'b', one)
  expect(one && board.peopleAt(one)).toEqual(['sara'])
  beat('sara', 'a')
  expect(story).toHaveLength(1)
  beat('sara', 'b', other)
  expect(story).toHaveLength(3)
})

test('nobody takes another person’s tab, and nobody fills the memory with tabs', () => {
  const { board, beat } = openBoard()
  beat('sara', 'same', one)
  beat('nils', 'same')
  expect(one && board.peopleAt(one)).toEqual(['sara'])
  for (let tab = 0; tab < 60; tab += 1) beat('sara', String(tab), other)
  expect(one && board.peopleAt(one), 'the tab heard of longest ago went').toEqual([])
})
