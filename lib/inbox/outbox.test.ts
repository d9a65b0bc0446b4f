import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createOutbox, UNDO_SEND_MS } from './outbox'

const lead: LeadRef = { kind: 'asked-question', id: '1' }
const other: LeadRef = { kind: 'declaration-of-interest', id: '1' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function world() {
  const outbox = createOutbox()
  const log: string[] = []
  const begin = (about: LeadRef, answer: () => Promise<void> = async () => {}) => {
    const send = () => (log.push(`sent ${about.kind}`), answer())
    return outbox.enqueue({ lead: about, send, onTakenBack: () => log.push(`taken back ${about.kind}`) })
  }
  return { outbox, log, begin }
}

test('a reply leaves when its time is over, not a moment before, and one per lead at a time', async () => {
  const { outbox, log, begin } = world()
  const undoUntil = Date.now() + UNDO_SEND_MS
  expect([begin(lead), begin(lead), begin(other)]).toEqual([undoUntil, null, undoUntil])
  await vi.advanceTimersByTimeAsync(UNDO_SEND_MS - 1)
  expect([log, outbox.read(lead), outbox.isBusy()]).toEqual([[], { kind: 'waiting', undoUntil }, true])
  await vi.advanceTimersByTimeAsync(1)
  expect(log).toEqual(['sent asked-question', 'sent declaration-of-interest'])
  expect([outbox.read(lead), outbox.isBusy()]).toEqual([undefined, false])
})

test('it never leaves once it is taken back, and cannot be taken back once it has left', async () => {
  const { outbox, log, begin } = world()
  begin(lead)
  expect(outbox.takeBack(lead)).toBe(true)
  await vi.advanceTimersByTimeAsync(UNDO_SEND_MS)
  expect(log).toEqual(['taken back asked-question'])
  begin(lead, () => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(UNDO_SEND_MS)
  expect([outbox.read(lead), outbox.takeBack(lead)]).toEqual([{ kind: 'sending' }, false])
})

test('what failed says why, and may be tried again', async () => {
  const { outbox, begin } = world()
  const refused = new Error('refused')
  begin(lead, () => Promise.reject(refused))
  await vi.advanceTimersByTimeAsync(UNDO_SEND_MS)
  expect([outbox.read(lead), outbox.isBeingSent(lead)]).toEqual([{ kind: 'failed', error: refused }, false])
  expect(begin(lead)).not.toBeNull()
})

test('the newest that waits is taken back, but not before what was done since', () => {
  const { outbox, begin } = world()
  const before = Date.now()
  begin(lead)
  begin(other)
  expect(outbox.takeBackLast(before + 1)).toBe(false)
  expect([outbox.takeBackLast(before), outbox.read(other)]).toEqual([true, undefined])
  expect([outbox.takeBackLast(before), outbox.takeBackLast(before)]).toEqual([true, false])
})

test('a sign-out sends at once what waits, once, and waits for it no longer than it may', async () => {
  const { outbox, log, begin } = world()
  begin(lead)
  await outbox.flush()
  expect([outbox.isBusy(), log]).toEqual([false, ['sent asked-question']])
  begin(lead, () => new Promise(() => {}))
  const late = outbox.flush()
  await vi.advanceTimersByTimeAsync(UNDO_SEND_MS)
  await late
  expect([outbox.isBusy(), log.length]).toEqual([true, 2])
})
