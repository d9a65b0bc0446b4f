import { expect, test } from 'vitest'
import { createLeavingReplies } from './leaving-replies'
import { createUndoSteps } from './undo-steps'
import { undoStep } from './testing/pages'

/** Replies that are sent among decisions, and which of them were taken back. */
function work() {
  const steps = createUndoSteps()
  const replies = createLeavingReplies()
  const waiting = new Set<string>()
  const reply = (name: string) => {
    waiting.add(name)
    replies.begun({ takeBack: () => waiting.delete(name), isLast: steps.mark() })
  }
  return { steps, replies, waiting, reply }
}

test('a reply is taken back before what was done before it, and after what was done after it', () => {
  const { steps, replies, waiting, reply } = work()
  steps.add(undoStep())
  reply('a')
  const later = undoStep()
  steps.add(later)
  expect(replies.takeBack()).toBe(false)
  expect(steps.take()).toBe(later)
  expect(replies.takeBack()).toBe(true)
  expect([...waiting]).toEqual([])
  expect(replies.takeBack(), 'once').toBe(false)
})

test('what changed nothing, failed, or was taken back by its own button does not stand before the reply', () => {
  const { steps, replies, reply } = work()
  const [before, failed] = [undoStep(), undoStep()]
  steps.add(before)
  reply('a')
  steps.add(failed)
  steps.take(failed)
  steps.take(before)
  expect(replies.takeBack()).toBe(true)
})

test('of two that wait the later comes back first; one that has left stands before none', () => {
  const { replies, waiting, reply } = work()
  for (const name of ['a', 'b', 'c']) reply(name)
  waiting.delete('c')
  expect(replies.takeBack()).toBe(true)
  expect([...waiting]).toEqual(['a'])
  expect(replies.takeBack()).toBe(true)
  expect(replies.takeBack()).toBe(false)
})

test('a sign-out sends the waiting ones, where there is code that sends', async () => {
  const { replies } = work()
  expect(await replies.sendAll()).toBe(true)
  replies.sentBy(async () => false)
  expect(await replies.sendAll()).toBe(false)
})
